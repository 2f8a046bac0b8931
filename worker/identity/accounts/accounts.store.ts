import { and, eq, exists, ne, sql } from 'drizzle-orm'
import { newId } from '../../kit/random.ts'
import type { Database } from '../../platform/database.ts'
import { sessions } from '../sessions/sessions.table.ts'
import { moveSecurityVersion } from '../users/users.store.ts'
import { users } from '../users/users.table.ts'
import { type Account, accounts, credentialProvider } from './accounts.table.ts'

/** Queries about accounts. Every function is one round trip. */

export const listAccounts = (db: Database, userId: string): Promise<Account[]> =>
  db.select().from(accounts).where(eq(accounts.userId, userId)).orderBy(accounts.createdAt)

const isCredential = (userId: string) => and(eq(accounts.userId, userId), eq(accounts.providerId, credentialProvider))

/** The user's password hash; null without a password. */
export async function findPasswordHash(db: Database, userId: string): Promise<string | null> {
  const [row] = await db.select({ password: accounts.password }).from(accounts).where(isCredential(userId))
  return row?.password ?? null
}

/**
 * Replaces the password that was verified, and ends what is pending for the user. With `rotate`, the user's other
 * sessions end too and this one goes on under a new token. One batch, which does all or nothing.
 * @returns false when the stored password is no longer `current`
 */
export async function replacePasswordHash(
  db: Database,
  change: { userId: string; current: string; next: string; now: Date; rotate?: { from: string; to: string } },
): Promise<boolean> {
  const { userId, current, next, now, rotate } = change
  const replaced = exists(
    db
      .select({ one: sql`1` })
      .from(accounts)
      .where(and(isCredential(userId), eq(accounts.password, next))),
  )
  const replace = db
    .update(accounts)
    .set({ password: next, updatedAt: now })
    .where(and(isCredential(userId), eq(accounts.password, current)))
    .returning({ id: accounts.id })
  const endPending = moveSecurityVersion(db, userId, replaced)
  if (!rotate) {
    const [rows] = await db.batch([replace, endPending])
    return rows.length > 0
  }
  const [rows] = await db.batch([
    replace,
    endPending,
    db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.token, rotate.from), replaced)),
    db
      .update(sessions)
      .set({ token: rotate.to, updatedAt: now })
      .where(and(eq(sessions.userId, userId), eq(sessions.token, rotate.from), replaced)),
  ])
  return rows.length > 0
}

const credentialAccount = (userId: string, hash: string, now: Date) => ({
  id: newId(),
  providerId: credentialProvider,
  accountId: userId,
  userId,
  password: hash,
  createdAt: now,
  updatedAt: now,
})

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
 * Sets the password, with or without one before, and ends the user's sessions and all that is pending. One batch.
 * @param securityVersion as it was when the right to do so was checked
 * @returns false, and nothing is written, when it has moved on since
 */
export async function resetPasswordHash(
  db: Database,
  userId: string,
  hash: string,
  now: Date,
  securityVersion: number,
): Promise<boolean> {
  const account = credentialAccount(userId, hash, now)
  const unchanged = and(eq(users.id, userId), eq(users.securityVersion, securityVersion))
  const stillUnchanged = exists(db.select({ one: sql`1` }).from(users).where(unchanged))
  const [, , moved] = await db.batch([
    db
      .insert(accounts)
      .select(
        db
          .select({
            id: sql`${account.id}`.as('id'),
            providerId: sql`${account.providerId}`.as('provider_id'),
            accountId: users.id,
            userId: sql`${users.id}`.as('user_id'),
            accessToken: sql`null`.as('access_token'),
            refreshToken: sql`null`.as('refresh_token'),
            idToken: sql`null`.as('id_token'),
            accessTokenExpiresAt: sql`null`.as('access_token_expires_at'),
            refreshTokenExpiresAt: sql`null`.as('refresh_token_expires_at'),
            scope: sql`null`.as('scope'),
            password: sql`${hash}`.as('password'),
            createdAt: sql`${now.getTime()}`.as('created_at'),
            updatedAt: sql`${now.getTime()}`.as('updated_at'),
          })
          .from(users)
          .where(unchanged),
      )
      .onConflictDoUpdate({
        target: [accounts.providerId, accounts.accountId],
        set: { password: hash, updatedAt: now },
      }),
    db.delete(sessions).where(and(eq(sessions.userId, userId), stillUnchanged)),
    db
      .update(users)
      .set({ securityVersion: sql`${users.securityVersion} + 1` })
      .where(unchanged)
      .returning({ id: users.id }),
  ])
  return moved.length > 0
}

/** Removes one account, unless it is the user's last. @returns whether it was removed */
export async function deleteAccount(db: Database, userId: string, id: string, allowLast: boolean): Promise<boolean> {
  const notTheLast = sql`(select count(*) from ${accounts} as every where every.user_id = ${userId}) > 1`
  const rows = await db
    .delete(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.id, id), allowLast ? undefined : notTheLast))
    .returning({ id: accounts.id })
  return rows.length > 0
}
