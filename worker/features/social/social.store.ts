import { and, eq, sql } from 'drizzle-orm'
import { type Account, accounts } from '../../identity/accounts/accounts.table.ts'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'

/** Queries about identities at providers. Every function is one round trip. */

/** Tokens of an account, sealed. */
export type SealedTokens = Pick<
  Account,
  'accessToken' | 'refreshToken' | 'idToken' | 'accessTokenExpiresAt' | 'refreshTokenExpiresAt' | 'scope'
>

export interface Known {
  /** The account of the identity, and whose it is. */
  account: { id: string; user: User } | null
  /** Whoever has the address. */
  byEmail: User | null
}

/** Who has an identity, and who has the address that comes with it. */
export async function findKnown(db: Database, providerId: string, accountId: string, email: string): Promise<Known> {
  const [identities, people] = await db.batch([
    db
      // Rows of a batch are keyed by column name alone, and users have an `id` too.
      .select({ id: sql<string>`${accounts.id}`.as('identity'), user: users })
      .from(accounts)
      .innerJoin(users, eq(users.id, accounts.userId))
      .where(and(eq(accounts.providerId, providerId), eq(accounts.accountId, accountId))),
    db.select().from(users).where(eq(users.email, email)),
  ])
  return { account: identities[0] ?? null, byEmail: people[0] ?? null }
}

/**
 * Gives an identity to a user; where it is theirs already, its tokens are replaced. One statement decides.
 * @param securityVersion of the user, as it was when the right to do so was checked
 * @returns false when the identity is somebody else's, or the user has changed or gone
 */
export async function giveIdentity(
  db: Database,
  account: Pick<Account, 'id' | 'providerId' | 'accountId' | 'userId' | 'createdAt'> & SealedTokens,
  securityVersion: number,
): Promise<boolean> {
  const time = (value: Date | null) => sql`${value?.getTime() ?? null}`
  const { accessToken, refreshToken, idToken, accessTokenExpiresAt, refreshTokenExpiresAt, scope, createdAt } = account
  const rows = await db
    .insert(accounts)
    .select(
      db
        .select({
          id: sql`${account.id}`.as('id'),
          providerId: sql`${account.providerId}`.as('provider_id'),
          accountId: sql`${account.accountId}`.as('account_id'),
          userId: sql`${users.id}`.as('user_id'),
          accessToken: sql`${accessToken}`.as('access_token'),
          refreshToken: sql`${refreshToken}`.as('refresh_token'),
          idToken: sql`${idToken}`.as('id_token'),
          accessTokenExpiresAt: time(accessTokenExpiresAt).as('access_token_expires_at'),
          refreshTokenExpiresAt: time(refreshTokenExpiresAt).as('refresh_token_expires_at'),
          scope: sql`${scope}`.as('scope'),
          password: sql`null`.as('password'),
          createdAt: time(createdAt).as('created_at'),
          updatedAt: time(createdAt).as('updated_at'),
        })
        .from(users)
        .where(and(eq(users.id, account.userId), eq(users.securityVersion, securityVersion))),
    )
    .onConflictDoUpdate({
      target: [accounts.providerId, accounts.accountId],
      set: {
        accessToken,
        refreshToken: sql`coalesce(excluded.refresh_token, ${accounts.refreshToken})`,
        idToken,
        accessTokenExpiresAt,
        refreshTokenExpiresAt,
        scope,
        updatedAt: createdAt,
      },
      setWhere: sql`${accounts.userId} = excluded.user_id`,
    })
    .returning({ id: accounts.id })
  return rows.length > 0
}

/** Replaces the tokens of an account after a sign-in. A refresh token stays until there is another. */
export const replaceTokens = (db: Database, id: string, { refreshToken, ...tokens }: SealedTokens, now: Date) =>
  db
    .update(accounts)
    .set({ ...tokens, ...(refreshToken === null ? {} : { refreshToken }), updatedAt: now })
    .where(eq(accounts.id, id))

/**
 * Replaces the tokens of an account after a refresh, unless somebody has replaced them since they were read.
 * @returns whether they were replaced
 */
export async function refreshStoredTokens(
  db: Database,
  seen: Pick<Account, 'id' | 'updatedAt'>,
  tokens: SealedTokens,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(accounts)
    .set({ ...tokens, updatedAt: now })
    .where(and(eq(accounts.id, seen.id), eq(accounts.updatedAt, seen.updatedAt)))
    .returning({ id: accounts.id })
  return rows.length > 0
}
