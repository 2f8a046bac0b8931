import { and, count, eq, exists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { firstPage, type Page } from '../../kit/page.ts'
import { newId } from '../../kit/random.ts'
import type { Database } from '../../platform/database.ts'
import type { Statement } from '../../platform/statements.ts'
import { type Account, accounts, credentialProvider } from '../model/accounts.table.ts'
import { type User, users } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { passwordStands, sessionsOf } from '../sessions/sessions.store.ts'
import { endSessions } from '../sessions/sessions.ts'
import { announceUser } from '../users/announce.ts'
import { moveSecurityVersion } from '../users/users.store.ts'
import type { Work } from '../work.ts'

/** Queries about accounts. Each function is one round trip. */

const every = alias(accounts, 'every')

export const listAccounts = (db: Database, userId: string | SQL, { limit, offset }: Page = firstPage) =>
  db.select().from(accounts).where(eq(accounts.userId, userId)).orderBy(accounts.createdAt).limit(limit).offset(offset)

const isCredential = (userId: string) => and(eq(accounts.userId, userId), eq(accounts.providerId, credentialProvider))

/** The user's password hash; null without a password. */
export async function findPasswordHash(db: Database, userId: string): Promise<string | null> {
  const [row] = await db.select({ password: accounts.password }).from(accounts).where(isCredential(userId))
  return row?.password ?? null
}

/** Replaces the verified password and invalidates the user's links and codes. Requires that it is still `current`. */
export function replacePassword(
  scope: Scope,
  work: Work,
  { userId, current, next }: { userId: string; current: string; next: string },
): void {
  const { db } = scope
  work.require(passwordStands(userId, current))
  work.run(db.update(accounts).set({ password: next, updatedAt: scope.now() }).where(isCredential(userId)))
  work.run(moveSecurityVersion(db, userId))
}

/** Removes the password of a user. */
export const deletePassword = (db: Database, userId: string): Statement =>
  db.delete(accounts).where(isCredential(userId))

/** Stores another hash of the same password, if the stored one is still `current`. Links and codes remain valid. */
export const rehashStatement = (
  db: Database,
  { userId, current, next, now }: { userId: string; current: string; next: string; now: Date },
) =>
  db
    .update(accounts)
    .set({ password: next, updatedAt: now })
    .where(and(isCredential(userId), eq(accounts.password, current)))

/** An account with only the columns that every account has. */
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

/** Adds an account to a user. UNIQUE (`accounts.provider_id`) rejects an identity that another account has. */
export const insertAccount = (db: Database, userId: string, account: Partial<Account>, now: Date) =>
  db.insert(accounts).values({ ...blankAccount(userId, now), ...account })

/** Adds a password for a user without one. Returns a row if the user had none. */
export const insertPassword = (db: Database, userId: string, hash: string, now: Date) =>
  db
    .insert(accounts)
    .values(credentialAccount(userId, hash, now))
    .onConflictDoNothing({ target: [accounts.providerId, accounts.accountId] })
    .returning({ id: accounts.id })

/**
 * Sets the password, with or without an earlier one, and revokes the user's sessions, links and codes. Requires that
 * the user's security version is unchanged.
 */
export function setPassword(scope: Scope, work: Work, user: User, hash: string): void {
  const { db } = scope
  const now = scope.now()
  const unchanged = and(eq(users.id, user.id), eq(users.securityVersion, user.securityVersion))
  work.require(exists(db.select({ one: sql`1` }).from(users).where(unchanged)))
  work.run(
    db
      .insert(accounts)
      .values(credentialAccount(user.id, hash, now))
      .onConflictDoUpdate({
        target: [accounts.providerId, accounts.accountId],
        set: { password: hash, updatedAt: now },
      }),
  )
  endSessions(scope, work, sessionsOf(user.id))
  work.run(moveSecurityVersion(db, user.id))
  announceUser(scope, work, 'password.reset', user.id, user)
}

/** Removes one account, unless it is the user's last. Returns its row if it was removed. */
export function deleteAccount(db: Database, userId: string, id: string, allowLast: boolean) {
  const notTheLast = sql`${db.select({ n: count() }).from(every).where(eq(every.userId, userId))} > 1`
  return db
    .delete(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.id, id), allowLast ? undefined : notTheLast))
    .returning({ id: accounts.id })
}
