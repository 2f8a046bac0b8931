import { and, count, eq, ne, sql } from 'drizzle-orm'
import { accountOptions } from '../../../identity/accounts/accounts.config.ts'
import { insertAccount } from '../../../identity/accounts/accounts.store.ts'
import type { ProviderIdentity } from '../../../identity/accounts/prove-address.ts'
import { type Account, accounts, credentialProvider } from '../../../identity/model/accounts.table.ts'
import { type User, users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, excluded, read } from '../../../platform/statements.ts'

/** The sealed tokens of an account. */
export type SealedTokens = Pick<
  Account,
  'accessToken' | 'refreshToken' | 'idToken' | 'accessTokenExpiresAt' | 'refreshTokenExpiresAt' | 'scope'
>

export interface KnownIdentity {
  /** The account of the identity, and its user. */
  account: { id: string; user: User } | null
  /** The user with the address. */
  byEmail: User | null
}

/** The user with an identity, and the user with its address. */
export async function findKnown(
  db: Database,
  providerId: string,
  accountId: string,
  email: string | null,
): Promise<KnownIdentity> {
  const { identities, people } = await read(db, {
    identities: db
      // D1 keys the rows of a batch by column name, and users have an `id` too.
      .select({ id: sql<string>`${accounts.id}`.as('identity'), user: users })
      .from(accounts)
      .innerJoin(users, eq(users.id, accounts.userId))
      .where(and(eq(accounts.providerId, providerId), eq(accounts.accountId, accountId))),
    people: db
      .select()
      .from(users)
      .where(eq(users.email, email ?? '')),
  })
  return { account: identities[0] ?? null, byEmail: people[0] ?? null }
}

/** The user has the maximum number of linked accounts. */
export class TooManyAccounts extends Error {}

/**
 * Links an identity to a user, or replaces its tokens if the user already has it. Requires that no other user has the
 * identity and that the user's security version is unchanged; otherwise, and for a user with the maximum number of linked
 * accounts, nothing is written.
 * @throws TooManyAccounts at the commit
 */
export function addIdentity(
  scope: Scope,
  work: Work,
  user: User,
  { providerId, accountId }: ProviderIdentity,
  sealed: SealedTokens,
): void {
  const { db } = scope
  const now = scope.now()
  const unchanged = and(eq(users.id, user.id), eq(users.securityVersion, user.securityVersion))
  const linked = and(
    eq(accounts.providerId, providerId),
    eq(accounts.accountId, accountId),
    eq(accounts.userId, user.id),
  )
  const linkedAccounts = db
    .select({ n: count() })
    .from(accounts)
    .where(and(eq(accounts.userId, user.id), ne(accounts.providerId, credentialProvider)))
  const { maximumAccounts } = accountOptions.of(scope).accountLinking
  work.require(sql`exists (select 1 from ${users} where ${unchanged})`)
  work.require(
    sql`(${linkedAccounts}) < ${maximumAccounts} or exists (select 1 from ${accounts} where ${linked})`,
    () => new TooManyAccounts(),
  )
  work.run(
    insertAccount(db, user.id, { providerId, accountId, ...sealed }, now).onConflictDoUpdate({
      target: [accounts.providerId, accounts.accountId],
      set: { ...replacing(sealed), updatedAt: now },
      setWhere: eq(accounts.userId, excluded(accounts.userId)),
    }),
  )
  work.require(sql`exists (select 1 from ${accounts} where ${linked})`)
}

/** Holds while an identity is not linked. */
export const isNewIdentity = ({ providerId, accountId }: ProviderIdentity): Condition =>
  sql`not exists (select 1 from ${accounts} where ${and(
    eq(accounts.providerId, providerId),
    eq(accounts.accountId, accountId),
  )})`

/** The columns that a sign-in replaces. Access and refresh token stay where it has none, such as one by an id token. */
function replacing({ idToken, ...tokens }: SealedTokens): Partial<SealedTokens> {
  const { accessToken, accessTokenExpiresAt, scope, refreshToken, refreshTokenExpiresAt } = tokens
  return {
    idToken,
    ...(accessToken === null ? {} : { accessToken, accessTokenExpiresAt, scope }),
    ...(refreshToken === null ? {} : { refreshToken, refreshTokenExpiresAt }),
  }
}

export const replaceTokens = (db: Database, id: string, tokens: SealedTokens, now: Date) =>
  db
    .update(accounts)
    .set({ ...replacing(tokens), updatedAt: now })
    .where(eq(accounts.id, id))

/** Replaces the tokens of an account after a refresh, unless another request has replaced them since they were read. */
export async function refreshStoredTokens(
  db: Database,
  seen: Pick<Account, 'id' | 'updatedAt'>,
  tokens: SealedTokens,
  now: Date,
): Promise<void> {
  await db
    .update(accounts)
    .set({ ...tokens, updatedAt: now })
    .where(and(eq(accounts.id, seen.id), eq(accounts.updatedAt, seen.updatedAt)))
}
