import { and, count, eq, exists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { newId } from '../../kit/random.ts'
import type { Database } from '../../platform/database.ts'
import { demand, type Statement } from '../../platform/statements.ts'
import { recordUser } from '../events/record.ts'
import type { Scope } from '../scope.ts'
import { passwordStands } from '../sessions/sessions.store.ts'
import { endSessionsStatements } from '../sessions/sessions.ts'
import { moveSecurityVersion } from '../users/users.store.ts'
import { type User, users } from '../users/users.table.ts'
import { type Account, accounts, credentialProvider } from './accounts.table.ts'

/** Queries about accounts. Every function is one round trip. */

const every = alias(accounts, 'every')

export const listAccounts = (db: Database, userId: string | SQL) =>
  db.select().from(accounts).where(eq(accounts.userId, userId)).orderBy(accounts.createdAt)

const isCredential = (userId: string) => and(eq(accounts.userId, userId), eq(accounts.providerId, credentialProvider))

/** The user's password hash; null without a password. */
export async function findPasswordHash(db: Database, userId: string): Promise<string | null> {
  const [row] = await db.select({ password: accounts.password }).from(accounts).where(isCredential(userId))
  return row?.password ?? null
}

/**
 * For a batch: replaces the password that was verified and ends what is pending for the user, or ends the batch when
 * the stored password is no longer `current`.
 */
export function replacePasswordStatements(
  db: Database,
  change: { userId: string; current: string; next: string; now: Date },
): Statement[] {
  const { userId, current, next, now } = change
  return [
    demand(db, passwordStands(userId, current)),
    db.update(accounts).set({ password: next, updatedAt: now }).where(isCredential(userId)),
    moveSecurityVersion(db, userId),
  ]
}

/** For a batch: the same password under another hash, if it is still `current`. Nothing that is pending ends. */
export const rehashStatement = (
  db: Database,
  { userId, current, next, now }: { userId: string; current: string; next: string; now: Date },
) =>
  db
    .update(accounts)
    .set({ password: next, updatedAt: now })
    .where(and(isCredential(userId), eq(accounts.password, current)))

/** An account with nothing but what every account has. */
const blankAccount = (userId: string, now: Date): Account => ({
  id: newId(),
  providerId: credentialProvider,
  accountId: userId,
  userId,
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
  scope: null,
  password: null,
  createdAt: now,
  updatedAt: now,
})

const credentialAccount = (userId: string, hash: string, now: Date): Account => ({
  ...blankAccount(userId, now),
  password: hash,
})

/** For a batch: another way in for a user. @throws when the identity is somebody's already (UNIQUE) */
export const insertAccount = (db: Database, userId: string, account: Partial<Account>, now: Date) =>
  db.insert(accounts).values({ ...blankAccount(userId, now), ...account })

/** Gives a password to a user who has none. @returns false when there is one */
export async function addPasswordHash(db: Database, userId: string, hash: string, now: Date): Promise<boolean> {
  const rows = await db
    .insert(accounts)
    .values(credentialAccount(userId, hash, now))
    .onConflictDoNothing({ target: [accounts.providerId, accounts.accountId] })
    .returning({ id: accounts.id })
  return rows.length > 0
}

/**
 * For a batch: sets the password, with or without one before, ends the user's sessions and all that is pending, and
 * ends the batch when the user's security version has moved.
 */
export function resetPasswordStatements(scope: Scope, user: User, hash: string): Statement[] {
  const { db } = scope
  const now = scope.now()
  const unchanged = and(eq(users.id, user.id), eq(users.securityVersion, user.securityVersion))
  return [
    demand(db, exists(db.select({ one: sql`1` }).from(users).where(unchanged))),
    db
      .insert(accounts)
      .values(credentialAccount(user.id, hash, now))
      .onConflictDoUpdate({
        target: [accounts.providerId, accounts.accountId],
        set: { password: hash, updatedAt: now },
      }),
    ...endSessionsStatements(scope, user.id),
    moveSecurityVersion(db, user.id),
    ...recordUser(scope, 'password.reset', user.id),
  ]
}

/** Removes one account, unless it is the user's last. @returns whether it was removed */
export async function deleteAccount(db: Database, userId: string, id: string, allowLast: boolean): Promise<boolean> {
  const notTheLast = sql`${db.select({ n: count() }).from(every).where(eq(every.userId, userId))} > 1`
  const rows = await db
    .delete(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.id, id), allowLast ? undefined : notTheLast))
    .returning({ id: accounts.id })
  return rows.length > 0
}
