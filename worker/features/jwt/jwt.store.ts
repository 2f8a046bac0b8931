import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import type { Database } from '../../platform/database.ts'
import type { Statement } from '../../platform/statements.ts'
import { type SigningKey, signingKeys } from './jwt.table.ts'

/** Queries about signing keys. Each function is one round trip. */

export const selectSigningKeys = (db: Database): Promise<SigningKey[]> => db.select().from(signingKeys)

/** @param ids at most 90 */
export const deleteKeys = (db: Database, ids: string[]) => db.delete(signingKeys).where(inArray(signingKeys.id, ids))

/** Adds a key, unless its generation exists, and runs a deletion. @returns all keys after that */
async function addAndDelete(scope: Scope, key: SigningKey, deletion: Statement): Promise<SigningKey[]> {
  const work = unitOfWork(scope)
  // The deployment rotates its keys.
  work.audit(null)
  work.run([scope.db.insert(signingKeys).values(key).onConflictDoNothing(), deletion])
  const keys = work.run(scope.db.select().from(signingKeys))
  await work.commit()
  return keys.rows
}

/** Adds a key and deletes ended ones. @param ended ids, at most 90. @returns all keys */
export const addKey = (scope: Scope, key: SigningKey, ended: string[]): Promise<SigningKey[]> =>
  addAndDelete(scope, key, deleteKeys(scope.db, ended))

/** Adds a key in place of all earlier ones of its algorithm. @returns all keys */
export const replaceKeys = (scope: Scope, key: SigningKey): Promise<SigningKey[]> =>
  addAndDelete(
    scope,
    key,
    scope.db.delete(signingKeys).where(and(eq(signingKeys.alg, key.alg), lt(signingKeys.generation, key.generation))),
  )
