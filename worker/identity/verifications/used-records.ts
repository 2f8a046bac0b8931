import { eq, lte, sql } from 'drizzle-orm'
import { hmac } from '../../kit/hash.ts'
import { type Database, takenColumn } from '../../platform/database.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { usedRecords } from './used-records.table.ts'

/** Named under the oldest secret as well as the newest: a use must not be forgotten by a rotation. */
const nameOf = (scope: Scope, kind: string, token: string) =>
  hmac(scope.settings.secrets.at(-1)!, `used:${kind}:${token}`)

/**
 * For a batch: uses what may be used once. A second use violates UNIQUE, which ends its batch and takes back all
 * that the batch has written; see `isUsedAlready`.
 * @param expiresAt when the thing would expire; the use is remembered until then
 */
export const usedStatement = (scope: Scope, kind: string, token: string, expiresAt: Date): Statement =>
  scope.db.insert(usedRecords).values({ name: nameOf(scope, kind, token), expiresAt })

/** Whether a batch failed because what it used had been used before. */
export const isUsedAlready = (thrown: unknown): boolean => takenColumn(thrown) === 'used_records.name'

/** For a query: that something has not been used yet. */
export const isUnused = (scope: Scope, kind: string, token: string): Condition =>
  sql`not exists (select 1 from ${usedRecords} where ${eq(usedRecords.name, nameOf(scope, kind, token))})`

/** Whether something has been used. Only for what is shown; the statement decides. One round trip. */
export async function isUsed(scope: Scope, kind: string, token: string): Promise<boolean> {
  const rows = await scope.db
    .select({ name: usedRecords.name })
    .from(usedRecords)
    .where(eq(usedRecords.name, nameOf(scope, kind, token)))
  return rows.length > 0
}

export const deleteExpiredUses = (db: Database, now: Date) =>
  db.delete(usedRecords).where(lte(usedRecords.expiresAt, now))
