import { listAccounts } from '../../identity/accounts/accounts.store.ts'
import type { Account } from '../../identity/accounts/accounts.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { Fault, passFault } from '../../kit/errors.ts'
import { ms, seconds } from '../../kit/time.ts'
import { reasonOf } from '../../platform/log.ts'
import { runBatch } from '../../platform/statements.ts'
import { type ConfiguredProvider, contextOf } from './configured.ts'
import { refreshTokens } from './exchange.ts'
import { anyConfiguredProvider } from './find-provider.ts'
import { fetchProfile, type KnownPerson, readPerson } from './profile.ts'
import type { Profile, ProviderTokens } from './provider.ts'
import { openTokens, scopesOfAccount, sealTokens } from './sealed-tokens.ts'
import { socialErrors as errors, providerNotSupported } from './social.errors.ts'
import { refreshStoredTokens, type SealedTokens } from './social.store.ts'

/** An access token that expires sooner than this is replaced before it is handed out. */
const tooSoon = seconds(5)

/** One refresh at a time: others wait this long, in steps, for what it brings. */
const refreshing = { longest: seconds(30), steps: 10, step: 0.5 }

export interface AccountChoice {
  providerId: string
  /** The provider's id of the account; the row's own id is taken too. */
  accountId?: string | undefined
}

const isChosen = (account: Account, id: string) => account.accountId === id || account.id === id

/** @throws PROVIDER_..._IS_NOT_SUPPORTED, ACCOUNT_NOT_FOUND */
async function chooseAccount(
  scope: Scope,
  userId: string,
  { providerId, accountId }: AccountChoice,
): Promise<{ configured: ConfiguredProvider; account: Account }> {
  const configured = await anyConfiguredProvider(scope, providerId)
  if (!configured) throw providerNotSupported(providerId)
  const accounts = await listAccounts(scope.db, userId)
  const account = accounts.find(
    (one) => one.providerId === providerId && (accountId === undefined || isChosen(one, accountId)),
  )
  if (!account) throw errors.ACCOUNT_NOT_FOUND()
  return { configured, account }
}

const isExpiring = ({ accessTokenExpiresAt }: Pick<Account, 'accessTokenExpiresAt'>, now: Date) =>
  accessTokenExpiresAt !== null && accessTokenExpiresAt.getTime() - now.getTime() < ms(tooSoon)

/**
 * The access token of an account, refreshed when it is about to expire.
 * @throws PROVIDER_..._IS_NOT_SUPPORTED, ACCOUNT_NOT_FOUND, FAILED_TO_GET_A_VALID_ACCESS_TOKEN
 */
export async function getAccessToken(scope: Scope, userId: string, choice: AccountChoice): Promise<ProviderTokens> {
  const { configured, account } = await chooseAccount(scope, userId, choice)
  const tokens = await currentTokens(scope, configured, account)
  if (tokens.accessToken === null) throw errors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN()
  return tokens
}

async function currentTokens(scope: Scope, configured: ConfiguredProvider, account: Account): Promise<ProviderTokens> {
  const tokens = await openTokens(scope, account)
  if (!isExpiring(account, scope.now()) || tokens.refreshToken === null || configured.provider.refresh === false) {
    return tokens
  }
  try {
    return await refreshAccount(scope, configured, account, tokens)
  } catch (thrown) {
    passFault(thrown)
    throw errors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN({ detail: reasonOf(thrown) })
  }
}

/**
 * Refreshes the tokens of an account, whether they need it or not.
 * @throws PROVIDER_..._IS_NOT_SUPPORTED, ACCOUNT_NOT_FOUND, FAILED_TO_REFRESH_ACCESS_TOKEN
 */
export async function refreshAccountTokens(
  scope: Scope,
  userId: string,
  choice: AccountChoice,
): Promise<ProviderTokens> {
  const { configured, account } = await chooseAccount(scope, userId, choice)
  const tokens = await openTokens(scope, account)
  if (tokens.refreshToken === null) throw errors.FAILED_TO_REFRESH_ACCESS_TOKEN({ detail: 'no refresh token' })
  try {
    return await refreshAccount(scope, configured, account, tokens)
  } catch (thrown) {
    passFault(thrown)
    throw errors.FAILED_TO_REFRESH_ACCESS_TOKEN({ detail: reasonOf(thrown) })
  }
}

/**
 * Providers that rotate refresh tokens take a second use of one for theft, so of parallel calls one refreshes and the
 * others wait for what it stores.
 */
async function refreshAccount(
  scope: Scope,
  configured: ConfiguredProvider,
  account: Account,
  tokens: ProviderTokens,
): Promise<ProviderTokens> {
  const turn = `provider-refresh:${account.id}:${account.updatedAt.getTime()}`
  const { allowed } = await scope.counters.hit(turn, { max: 1, window: refreshing.longest })
  if (!allowed) return waitForRefresh(scope, account)
  try {
    const fresh = await refreshTokens(scope, configured, tokens.refreshToken!, scopesOfAccount(account), tokens.kept)
    const { idToken, claims } = fresh.idToken === null ? tokens : fresh
    const renewed = { ...fresh, idToken, claims }
    renewed.refreshTokenExpiresAt ??= fresh.refreshToken === tokens.refreshToken ? tokens.refreshTokenExpiresAt : null
    // A moment later than what was read at least: the time is what tells the two apart.
    const now = new Date(Math.max(scope.now().getTime(), account.updatedAt.getTime() + 1))
    await storeRefreshed(scope, account, await sealTokens(scope, renewed), now)
    return renewed
  } catch (thrown) {
    await scope.counters.forget(turn).catch(() => {})
    throw thrown
  }
}

const storeKind = 'social:store-tokens'

/**
 * Stores refreshed tokens. The provider may have ended the old refresh token already, so that these must not be lost
 * by a fault of ours: it is tried twice, then written down as a task, and the caller gets the tokens all the same.
 */
async function storeRefreshed(scope: Scope, seen: Account, tokens: SealedTokens, now: Date): Promise<void> {
  const store = () => refreshStoredTokens(scope.db, seen, tokens, now)
  try {
    await store().catch(store)
  } catch (thrown) {
    scope.log('error', 'refreshed-tokens-not-stored', { provider: seen.providerId, reason: reasonOf(thrown) })
    const payload: StoredLater = { id: seen.id, seen: seen.updatedAt.getTime(), now: now.getTime(), tokens }
    scope.after(async () => runBatch(scope.db, await scope.task(storeKind, payload)))
  }
}

/** Of a task. Times are Unix times in milliseconds, and dates among the tokens ISO texts: it travels as JSON. */
export interface StoredLater {
  id: string
  seen: number
  now: number
  tokens: { [K in keyof SealedTokens]: SealedTokens[K] | string }
}

const dateOf = (value: Date | string | null): Date | null => (value === null ? null : new Date(value))

/** The tasks of this file, see identity/lifecycle.ts. */
export const tokenTasks = {
  async [storeKind](scope: Scope, { id, seen, now, tokens }: StoredLater): Promise<void> {
    const { accessTokenExpiresAt, refreshTokenExpiresAt } = tokens
    const dates = {
      accessTokenExpiresAt: dateOf(accessTokenExpiresAt),
      refreshTokenExpiresAt: dateOf(refreshTokenExpiresAt),
    }
    const sealed = { ...tokens, ...dates } as SealedTokens
    await refreshStoredTokens(scope.db, { id, updatedAt: new Date(seen) }, sealed, new Date(now))
  },
}

async function waitForRefresh(scope: Scope, seen: Account): Promise<ProviderTokens> {
  for (let step = 0; step < refreshing.steps; step++) {
    await new Promise((done) => setTimeout(done, ms(refreshing.step)))
    const account = (await listAccounts(scope.db, seen.userId)).find(({ id }) => id === seen.id)
    if (!account) break
    if (account.updatedAt.getTime() !== seen.updatedAt.getTime()) return openTokens(scope, account)
  }
  throw new Fault('provider', new Error('another call is refreshing the same tokens'))
}

/**
 * What the provider says today about one of the caller's accounts.
 * @throws ACCOUNT_NOT_FOUND, PROVIDER_..._IS_NOT_SUPPORTED, FAILED_TO_GET_A_VALID_ACCESS_TOKEN, FAILED_TO_GET_USER_INFO
 */
export async function accountInfo(
  scope: Scope,
  caller: Caller,
  accountId: string,
): Promise<{ user: Omit<KnownPerson, 'extra'>; data: Profile }> {
  const accounts = await listAccounts(scope.db, caller.user.id)
  const account = accounts.find((one) => one.password === null && isChosen(one, accountId))
  if (!account) throw errors.ACCOUNT_NOT_FOUND()
  const configured = await anyConfiguredProvider(scope, account.providerId)
  if (!configured) throw providerNotSupported(account.providerId)
  const stored = await currentTokens(scope, configured, account)
  // The id token of a provider without rules for one was never verified.
  const tokens = configured.provider.idToken ? stored : { ...stored, claims: null }
  const context = contextOf(scope, configured)
  try {
    const data = await fetchProfile(configured, tokens, context)
    const person = data && (await readPerson(configured, data, context))
    if (data && person) {
      const { extra, ...user } = person
      return { user: { ...user, ...extra }, data }
    }
  } catch (thrown) {
    passFault(thrown)
    throw errors.FAILED_TO_GET_USER_INFO({ detail: reasonOf(thrown) })
  }
  throw errors.FAILED_TO_GET_USER_INFO()
}
