import { eq, lte, sql } from 'drizzle-orm'
import { hmac } from '../kit/hash.ts'
import type { Database } from '../platform/database.ts'
import type { Condition, Statement } from '../platform/statements.ts'
import type { Scope } from './scope.ts'
import { usedRecords } from './used-records.table.ts'
import type { SingleUse } from './work.ts'

/** The name is an HMAC with the oldest secret, so that a use remains known after a rotation of the secret. */
const nameOf = (scope: Scope, { kind, token }: Pick<SingleUse, 'kind' | 'token'>) =>
  hmac(scope.settings.secrets.at(-1)!, `used:${kind}:${token}`)

/** For the unit of work: a second use of the record violates UNIQUE and fails its batch. */
export const usedStatement = (scope: Scope, record: SingleUse): Statement =>
  scope.db.insert(usedRecords).values({ name: nameOf(scope, record), expiresAt: record.expiresAt })

/** Notes a use whose batch must not fail if it was noted before. */
export const noteUse = (scope: Scope, record: SingleUse): Statement =>
  scope.db
    .insert(usedRecords)
    .values({ name: nameOf(scope, record), expiresAt: record.expiresAt })
    .onConflictDoNothing()

/** Holds while the record is unused. */
export const isUnused = (scope: Scope, record: Pick<SingleUse, 'kind' | 'token'>): Condition =>
  sql`not exists (select 1 from ${usedRecords} where ${eq(usedRecords.name, nameOf(scope, record))})`

/** Whether a record was used: for display only, since the batch decides. One round trip. */
export async function isUsed(scope: Scope, record: Pick<SingleUse, 'kind' | 'token'>): Promise<boolean> {
  const rows = await scope.db
    .select({ name: usedRecords.name })
    .from(usedRecords)
    .where(eq(usedRecords.name, nameOf(scope, record)))
  return rows.length > 0
}

export const deleteExpiredUses = (db: Database, now: Date) =>
  db.delete(usedRecords).where(lte(usedRecords.expiresAt, now))
