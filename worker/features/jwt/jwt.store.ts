import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { type SigningKey, signingKeys } from './jwt.table.ts'

/** Queries about signing keys. Every function is one round trip. */

export const listKeys = (db: Database): Promise<SigningKey[]> => db.select().from(signingKeys)

/** @param ids at most 90 */
export const deleteKeys = (db: Database, ids: string[]) => db.delete(signingKeys).where(inArray(signingKeys.id, ids))

/**
 * Adds a key, unless another one has become the same generation, and deletes those that are at their end.
 * @param ended ids, at most 90
 * @returns all keys, as they are now
 */
export async function addKey(db: Database, key: SigningKey, ended: string[]): Promise<SigningKey[]> {
  const results = await db.batch([
    db.insert(signingKeys).values(key).onConflictDoNothing(),
    deleteKeys(db, ended),
    db.select().from(signingKeys),
  ])
  return results[2]
}

/**
 * Adds a key in place of all earlier ones of its algorithm, unless another one has become the same generation.
 * @returns all keys, as they are now
 */
export async function replaceKeys(db: Database, key: SigningKey): Promise<SigningKey[]> {
  const results = await db.batch([
    db.insert(signingKeys).values(key).onConflictDoNothing(),
    db.delete(signingKeys).where(and(eq(signingKeys.alg, key.alg), lt(signingKeys.generation, key.generation))),
    db.select().from(signingKeys),
  ])
  return results[2]
}
