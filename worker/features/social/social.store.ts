import { and, eq, sql } from 'drizzle-orm'
import { type Account, accounts } from '../../identity/accounts/accounts.table.ts'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { demand, excluded, type Statement } from '../../platform/statements.ts'

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

/** Who has an identity, and who has the address that comes with it, if one does. */
export async function findKnown(
  db: Database,
  providerId: string,
  accountId: string,
  email: string | null,
): Promise<Known> {
  const [identities, people] = await db.batch([
    db
      // Rows of a batch are keyed by column name alone, and users have an `id` too.
      .select({ id: sql<string>`${accounts.id}`.as('identity'), user: users })
      .from(accounts)
      .innerJoin(users, eq(users.id, accounts.userId))
      .where(and(eq(accounts.providerId, providerId), eq(accounts.accountId, accountId))),
    db
      .select()
      .from(users)
      .where(eq(users.email, email ?? '')),
  ])
  return { account: identities[0] ?? null, byEmail: people[0] ?? null }
}

/**
 * For a batch: gives an identity to a user; where it is theirs already, its tokens are replaced. It ends the batch when
 * the identity is somebody else's, or the user has changed or gone (`isUnmetDemand`).
 * @param securityVersion of the user, as it will be when the statement runs
 */
export function giveIdentity(
  db: Database,
  account: Pick<Account, 'id' | 'providerId' | 'accountId' | 'userId' | 'createdAt'> & SealedTokens,
  securityVersion: number,
): Statement[] {
  const { providerId, accountId, userId, createdAt: updatedAt, refreshToken, ...rest } = account
  const { accessToken, idToken, accessTokenExpiresAt, refreshTokenExpiresAt, scope } = rest
  const stands = and(eq(users.id, userId), eq(users.securityVersion, securityVersion))
  const theirs = and(
    eq(accounts.providerId, providerId),
    eq(accounts.accountId, accountId),
    eq(accounts.userId, userId),
  )
  return [
    demand(db, sql`exists (select 1 from ${users} where ${stands})`),
    db
      .insert(accounts)
      .values({ ...account, updatedAt })
      .onConflictDoUpdate({
        target: [accounts.providerId, accounts.accountId],
        set: {
          accessToken,
          refreshToken: sql`coalesce(${excluded(accounts.refreshToken)}, ${accounts.refreshToken})`,
          idToken,
          accessTokenExpiresAt,
          refreshTokenExpiresAt,
          scope,
          updatedAt,
        },
        setWhere: eq(accounts.userId, excluded(accounts.userId)),
      }),
    demand(db, sql`exists (select 1 from ${accounts} where ${theirs})`),
  ]
}

/** For a batch: replaces the tokens of an account after a sign-in. A refresh token stays until there is another. */
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
