import { and, desc, eq, exists, gt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/model/users.table.ts'
import { passwordStands } from '../../identity/sessions/sessions.store.ts'
import { hasPassword } from '../../identity/sign-in/step-up.store.ts'
import type { Work } from '../../identity/work.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, insertWhere, type Statement } from '../../platform/statements.ts'
import { type TwoFactor, twoFactors } from './two-factor.table.ts'

/** The record in force, and then the one that waits for its first code. @param since the earliest start of a set-up */
export const recordsOf = (db: Database, userId: string | SQL, since: Date) =>
  db
    .select()
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, userId), or(eq(twoFactors.confirmed, true), gt(twoFactors.createdAt, since))))
    .orderBy(desc(twoFactors.confirmed))

const inForce = (userId: string | SQL) => and(eq(twoFactors.userId, userId), eq(twoFactors.confirmed, true))

/** Holds while the user has a second factor in force. */
export const hasFactorInForce = (userId: string | SQL): Condition =>
  sql`exists (select 1 from ${twoFactors} where ${inForce(userId)})`

/** Holds while the user has backup codes left. */
export const hasUnusedBackupCodes = (userId: string | SQL): Condition =>
  sql`exists (select 1 from ${twoFactors} where ${inForce(userId)} and json_array_length(${twoFactors.backupCodes}) > 0)`

/** A user with the record in force, if any; null without a user, or unless the condition holds. */
export async function findUserInForce(
  db: Database,
  userId: string,
  condition: Condition,
): Promise<{ user: User; records: TwoFactor[] } | null> {
  const [row] = await db
    .select({ user: users, record: twoFactors })
    .from(users)
    .leftJoin(twoFactors, and(eq(twoFactors.userId, users.id), eq(twoFactors.confirmed, true)))
    .where(and(eq(users.id, userId), condition))
  return row ? { user: row.user, records: row.record ? [row.record] : [] } : null
}

/** The verified password, which must still be the user's when the write happens. */
export interface PasswordGuard {
  userId: string
  /** Null: the user must still have none. */
  passwordHash: string | null
}

const guardHolds = ({ userId, passwordHash }: PasswordGuard): Condition =>
  passwordHash === null ? sql`not ${hasPassword(userId)}` : passwordStands(userId, passwordHash)

/** Stores a record that waits for its first code and replaces an earlier one. @returns whether it was stored */
export async function addUnconfirmed(db: Database, record: TwoFactor, guard: PasswordGuard): Promise<boolean> {
  const { id, secret, backupCodes, createdAt } = record
  const rows = await insertWhere(db, twoFactors, record, guardHolds(guard))
    .onConflictDoUpdate({
      target: [twoFactors.userId, twoFactors.confirmed],
      set: { id, secret, backupCodes, createdAt },
    })
    .returning({ id: twoFactors.id })
  return rows.length > 0
}

const switchOn = (db: Database, userId: string, now: Date) =>
  db.update(users).set({ twoFactorEnabled: true, updatedAt: now }).where(eq(users.id, userId))

/** Stores a record that is in force without a first code and replaces all others of the user. */
export const enforceStatements = (db: Database, record: TwoFactor): Statement[] => [
  db.delete(twoFactors).where(eq(twoFactors.userId, record.userId)),
  db.insert(twoFactors).values({ ...record, confirmed: true }),
  switchOn(db, record.userId, record.createdAt),
]

/** Confirms a record with its first code and replaces an earlier one. Requires that it is still unconfirmed. */
export function confirmRecord(db: Database, work: Work, { id, userId }: TwoFactor, now: Date): void {
  work.require(
    exists(
      db
        .select({ one: sql`1` })
        .from(twoFactors)
        .where(and(eq(twoFactors.id, id), eq(twoFactors.confirmed, false))),
    ),
  )
  work.run(db.delete(twoFactors).where(and(eq(twoFactors.userId, userId), ne(twoFactors.id, id))))
  work.run(db.update(twoFactors).set({ confirmed: true }).where(eq(twoFactors.id, id)))
  work.run(switchOn(db, userId, now))
}

/** Disables two-factor and deletes the secret, the codes and, with the record, the trusted devices. */
export const disableStatements = (db: Database, userId: string, now: Date): Statement[] => [
  db.update(users).set({ twoFactorEnabled: false, updatedAt: now }).where(eq(users.id, userId)),
  db.delete(twoFactors).where(eq(twoFactors.userId, userId)),
]

/** The stored backup codes of the record in force; null without a record. */
export async function findBackupCodes(db: Database, userId: string): Promise<string[] | null> {
  const [row] = await db
    .select({ backupCodes: twoFactors.backupCodes })
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, userId), eq(twoFactors.confirmed, true)))
  return row?.backupCodes ?? null
}

/**
 * Replaces the codes of the record in force, if they are still those that were read or already the new ones. The same
 * write may be sent twice, and a late one does not replace newer codes. Returns a row if the codes are the new ones.
 */
export function replaceBackupCodes(
  db: Database,
  guard: PasswordGuard,
  { before, after }: { before: string[]; after: string[] },
) {
  const stored = (codes: string[]) => sql`${twoFactors.backupCodes} = ${JSON.stringify(codes)}`
  return db
    .update(twoFactors)
    .set({ backupCodes: after })
    .where(
      and(
        eq(twoFactors.userId, guard.userId),
        eq(twoFactors.confirmed, true),
        or(stored(before), stored(after)),
        guardHolds(guard),
      ),
    )
    .returning({ id: twoFactors.id })
}

/** Removes one code from the list. Requires that it still exists. @param sealed the stored code */
export function removeCode(db: Database, work: Work, id: string, sealed: string): void {
  work.require(sql`exists (select 1 from ${twoFactors}, json_each(${twoFactors.backupCodes}) as code
      where ${twoFactors.id} = ${id} and code.value = ${sealed})`)
  work.run(
    db
      .update(twoFactors)
      .set({
        backupCodes: sql`(select json_group_array(code.value) from json_each(${twoFactors.backupCodes}) as code
        where code.value <> ${sealed})`,
      })
      .where(eq(twoFactors.id, id)),
  )
}

/** Replaces the codes of a record. Requires that they are still those that were read. */
export function replaceCodes(db: Database, work: Work, { id, backupCodes }: TwoFactor, next: string[]): void {
  work.require(sql`exists (select 1 from ${twoFactors}
      where ${twoFactors.id} = ${id} and json(${twoFactors.backupCodes}) = json(${JSON.stringify(backupCodes)}))`)
  work.run(db.update(twoFactors).set({ backupCodes: next }).where(eq(twoFactors.id, id)))
}

/** Deletes a user's second factor and trusted devices. */
export const deleteRecordsWhen = (db: Database, userId: string, when: SQL) =>
  db.delete(twoFactors).where(and(eq(twoFactors.userId, userId), when))

/** Setups that started before a time and were never confirmed. */
export const deleteLapsedSetUps = (db: Database, since: Date) =>
  db.delete(twoFactors).where(and(eq(twoFactors.confirmed, false), lte(twoFactors.createdAt, since)))
