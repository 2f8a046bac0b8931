import { and, desc, eq, exists, gt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { passwordStands } from '../../identity/sessions/sessions.store.ts'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, demand, insertWhere, type Statement } from '../../platform/statements.ts'
import { type TwoFactor, twoFactors } from './two-factor.table.ts'

/** Queries about second factors. Every function is one round trip, or statements for a batch. */

/**
 * The record in force, if there is one, and then the one that waits for its first code. Also for a batch.
 * @param since when a set-up that still counts began at the earliest
 */
export const recordsOf = (db: Database, userId: string | SQL, since: Date) =>
  db
    .select()
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, userId), or(eq(twoFactors.confirmed, true), gt(twoFactors.createdAt, since))))
    .orderBy(desc(twoFactors.confirmed))

/** A user with the record in force, if there is one; null without a user, or unless the condition holds. */
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

/** The password that was verified, which must still be the user's when the write happens. */
export interface PasswordGuard {
  userId: string
  passwordHash: string
}

/** Stores a record that waits for its first code, in place of another one that does. @returns whether it did */
export async function addUnconfirmed(
  db: Database,
  record: TwoFactor,
  { userId, passwordHash }: PasswordGuard,
): Promise<boolean> {
  const { id, secret, backupCodes, createdAt } = record
  const rows = await insertWhere(db, twoFactors, record, passwordStands(userId, passwordHash))
    .onConflictDoUpdate({
      target: [twoFactors.userId, twoFactors.confirmed],
      set: { id, secret, backupCodes, createdAt },
    })
    .returning({ id: twoFactors.id })
  return rows.length > 0
}

const switchOn = (db: Database, userId: string, now: Date) =>
  db.update(users).set({ twoFactorEnabled: true, updatedAt: now }).where(eq(users.id, userId))

/** For a batch: a record is in force without a first code, in place of all others of the user. */
export const enforceStatements = (db: Database, record: TwoFactor): Statement[] => [
  db.delete(twoFactors).where(eq(twoFactors.userId, record.userId)),
  db.insert(twoFactors).values({ ...record, confirmed: true }),
  switchOn(db, record.userId, record.createdAt),
]

/**
 * For a batch: the first code was right, so the record is in force in place of an earlier one. Ends the batch when the
 * record does not wait any more.
 */
export const confirmStatements = (db: Database, { id, userId }: TwoFactor, now: Date): Statement[] => [
  demand(
    db,
    exists(
      db
        .select({ one: sql`1` })
        .from(twoFactors)
        .where(and(eq(twoFactors.id, id), eq(twoFactors.confirmed, false))),
    ),
  ),
  db.delete(twoFactors).where(and(eq(twoFactors.userId, userId), ne(twoFactors.id, id))),
  db.update(twoFactors).set({ confirmed: true }).where(eq(twoFactors.id, id)),
  switchOn(db, userId, now),
]

/** For a batch: turns two-factor off, and forgets secret, codes and, with the record, trusted devices. */
export const disableStatements = (db: Database, userId: string, now: Date): Statement[] => [
  db.update(users).set({ twoFactorEnabled: false, updatedAt: now }).where(eq(users.id, userId)),
  db.delete(twoFactors).where(eq(twoFactors.userId, userId)),
]

/** Replaces the codes of the record in force. It may come twice. @returns whether it did */
export async function replaceBackupCodes(
  db: Database,
  { userId, passwordHash }: PasswordGuard,
  backupCodes: string[],
): Promise<boolean> {
  const rows = await db
    .update(twoFactors)
    .set({ backupCodes })
    .where(and(eq(twoFactors.userId, userId), eq(twoFactors.confirmed, true), passwordStands(userId, passwordHash)))
    .returning({ id: twoFactors.id })
  return rows.length > 0
}

/**
 * For a batch: takes one code out of the list, whatever else is taken out of it at the same moment, and ends the batch
 * when it is no longer among them.
 * @param sealed the code as it is stored
 */
export const burnStatements = (db: Database, id: string, sealed: string): Statement[] => [
  demand(
    db,
    sql`exists (select 1 from ${twoFactors}, json_each(${twoFactors.backupCodes}) as code
      where ${twoFactors.id} = ${id} and code.value = ${sealed})`,
  ),
  db
    .update(twoFactors)
    .set({
      backupCodes: sql`(select json_group_array(code.value) from json_each(${twoFactors.backupCodes}) as code
        where code.value <> ${sealed})`,
    })
    .where(eq(twoFactors.id, id)),
]

/** For a batch: replaces a record's codes, or ends the batch when they are no longer what was read. */
export const replaceStatements = (db: Database, { id, backupCodes }: TwoFactor, next: string[]): Statement[] => [
  demand(
    db,
    sql`exists (select 1 from ${twoFactors}
      where ${twoFactors.id} = ${id} and json(${twoFactors.backupCodes}) = json(${JSON.stringify(backupCodes)}))`,
  ),
  db.update(twoFactors).set({ backupCodes: next }).where(eq(twoFactors.id, id)),
]

/** For a batch: forgets a user's second factor, and the devices trusted by it. */
export const deleteRecordsWhen = (db: Database, userId: string, when: SQL) =>
  db.delete(twoFactors).where(and(eq(twoFactors.userId, userId), when))

/** Set-ups that began before and never got their first code. */
export const deleteLapsedSetUps = (db: Database, since: Date) =>
  db.delete(twoFactors).where(and(eq(twoFactors.confirmed, false), lte(twoFactors.createdAt, since)))
