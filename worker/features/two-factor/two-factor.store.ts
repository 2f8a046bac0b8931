import { and, desc, eq, exists, ne, type SQL, sql } from 'drizzle-orm'
import { accounts, credentialProvider } from '../../identity/accounts/accounts.table.ts'
import { sessions } from '../../identity/sessions/sessions.table.ts'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { type TwoFactor, twoFactors } from './two-factor.table.ts'

/** Queries about second factors. Every function is one round trip. */

/** The record in force, if there is one, and then the one that waits for its first code. */
export const findRecords = (db: Database, userId: string): Promise<TwoFactor[]> =>
  db.select().from(twoFactors).where(eq(twoFactors.userId, userId)).orderBy(desc(twoFactors.confirmed))

export async function findUserWithRecords(
  db: Database,
  userId: string,
): Promise<{ user: User; records: TwoFactor[] } | null> {
  const rows = await db
    .select({ user: users, record: twoFactors })
    .from(users)
    .leftJoin(twoFactors, eq(twoFactors.userId, users.id))
    .where(eq(users.id, userId))
    .orderBy(desc(twoFactors.confirmed))
  if (!rows[0]) return null
  return { user: rows[0].user, records: rows.flatMap(({ record }) => record ?? []) }
}

/** The password that was verified, which must still be the user's when the write happens. */
export interface PasswordGuard {
  userId: string
  passwordHash: string
}

const one = { one: sql`1` }

const passwordStands = (db: Database, { userId, passwordHash }: PasswordGuard): SQL =>
  exists(
    db
      .select(one)
      .from(accounts)
      .where(
        and(
          eq(accounts.userId, userId),
          eq(accounts.providerId, credentialProvider),
          eq(accounts.password, passwordHash),
        ),
      ),
  )

const insertUnconfirmed = (db: Database, record: TwoFactor, guard: PasswordGuard) =>
  db
    .insert(twoFactors)
    .select(
      db
        .select({
          id: sql`${record.id}`.as('id'),
          userId: users.id,
          confirmed: sql`0`.as('confirmed'),
          secret: sql`${record.secret}`.as('secret'),
          backupCodes: sql`${record.backupCodes}`.as('backup_codes'),
          createdAt: sql`${record.createdAt.getTime()}`.as('created_at'),
        })
        .from(users)
        .where(and(eq(users.id, record.userId), passwordStands(db, guard))),
    )
    .onConflictDoUpdate({
      target: [twoFactors.userId, twoFactors.confirmed],
      set: { id: record.id, secret: record.secret, backupCodes: record.backupCodes, createdAt: record.createdAt },
    })
    .returning({ id: twoFactors.id })

/**
 * Puts a record in force in place of an earlier one, and ends the session that is about to be replaced.
 * @param session its token; nothing happens when it has ended
 */
function confirmStatements(
  db: Database,
  { id, userId }: Pick<TwoFactor, 'id' | 'userId'>,
  now: Date,
  session?: string,
) {
  const is = (confirmed: boolean) =>
    exists(
      db
        .select(one)
        .from(twoFactors)
        .where(and(eq(twoFactors.id, id), eq(twoFactors.confirmed, confirmed))),
    )
  const sessionStands = session && exists(db.select(one).from(sessions).where(eq(sessions.token, session)))
  return [
    db
      .delete(twoFactors)
      .where(and(eq(twoFactors.userId, userId), ne(twoFactors.id, id), is(false), sessionStands || undefined)),
    db
      .update(twoFactors)
      .set({ confirmed: true })
      .where(and(eq(twoFactors.id, id), eq(twoFactors.confirmed, false), sessionStands || undefined))
      .returning({ id: twoFactors.id }),
    db
      .update(users)
      .set({ twoFactorEnabled: true, updatedAt: now })
      .where(and(eq(users.id, userId), is(true), sessionStands || undefined)),
    db.delete(sessions).where(and(eq(sessions.token, session ?? ''), is(true))),
  ] as const
}

/** Stores a record that waits for its first code, in place of another one that does. @returns whether it did */
export async function addUnconfirmed(db: Database, record: TwoFactor, guard: PasswordGuard): Promise<boolean> {
  const rows = await insertUnconfirmed(db, record, guard)
  return rows.length > 0
}

/** Stores a record that is in force at once. @returns whether it did */
export async function addConfirmed(
  db: Database,
  record: TwoFactor,
  guard: PasswordGuard,
  session: string,
): Promise<boolean> {
  const results = await db.batch([
    insertUnconfirmed(db, record, guard),
    ...confirmStatements(db, record, record.createdAt, session),
  ])
  return results[2].length > 0
}

/** The first code was right. @returns whether this call was the one that put the record in force */
export async function confirmRecord(db: Database, record: TwoFactor, now: Date, session?: string): Promise<boolean> {
  const [, confirmed] = await db.batch(confirmStatements(db, record, now, session))
  return confirmed.length > 0
}

/**
 * Turns two-factor off, forgets secret, codes and trusted devices, and ends the session that is about to be replaced.
 * @returns whether it did
 */
export async function removeRecords(db: Database, guard: PasswordGuard, now: Date, session: string): Promise<boolean> {
  const { userId } = guard
  const [changed] = await db.batch([
    db
      .update(users)
      .set({ twoFactorEnabled: false, updatedAt: now })
      .where(and(eq(users.id, userId), passwordStands(db, guard)))
      .returning({ id: users.id }),
    db.delete(twoFactors).where(and(eq(twoFactors.userId, userId), passwordStands(db, guard))),
    db.delete(sessions).where(and(eq(sessions.token, session), passwordStands(db, guard))),
  ])
  return changed.length > 0
}

/** Replaces the codes of the record in force. @returns whether it did */
export async function replaceBackupCodes(db: Database, guard: PasswordGuard, sealed: string): Promise<boolean> {
  const rows = await db
    .update(twoFactors)
    .set({ backupCodes: sealed })
    .where(and(eq(twoFactors.userId, guard.userId), eq(twoFactors.confirmed, true), passwordStands(db, guard)))
    .returning({ id: twoFactors.id })
  return rows.length > 0
}

/** Takes one code away, if the list is still the one that was read: compare and swap. @returns whether it was */
export async function swapBackupCodes(db: Database, id: string, from: string, to: string): Promise<boolean> {
  const rows = await db
    .update(twoFactors)
    .set({ backupCodes: to })
    .where(and(eq(twoFactors.id, id), eq(twoFactors.backupCodes, from)))
    .returning({ id: twoFactors.id })
  return rows.length > 0
}

/** For a batch: forgets a user's second factor, and the devices trusted by it. */
export const deleteRecordsWhen = (db: Database, userId: string, when: SQL) =>
  db.delete(twoFactors).where(and(eq(twoFactors.userId, userId), when))
