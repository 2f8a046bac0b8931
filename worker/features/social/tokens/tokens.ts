import { listAccounts } from '../../../identity/accounts/accounts.store.ts'
import type { Account } from '../../../identity/model/accounts.table.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { Fault, passFault } from '../../../kit/errors.ts'
import { ms, seconds } from '../../../kit/time.ts'
import { reasonOf } from '../../../platform/log.ts'
import { type ConfiguredProvider, contextOf } from '../client/configured-provider.ts'
import { refreshTokens } from '../client/exchange.ts'
import { fetchProfile, type KnownPerson, readPerson } from '../client/profile.ts'
import type { Profile, ProviderTokens } from '../client/provider.ts'
import { socialErrors as errors, providerNotSupported } from '../client/social.errors.ts'
import { anyConfiguredProvider } from '../configured/find-provider.ts'
import { refreshStoredTokens, type SealedTokens } from '../identities/identities.store.ts'
import { openTokens, scopesOfAccount, sealTokens, withDates } from '../identities/sealed-tokens.ts'

/** An access token that expires sooner is refreshed before it is returned. */
const minLifetime = seconds(5)

/** One refresh at a time per account. Other calls wait for its tokens: `steps` times, `step` seconds each. */
const refreshing = { window: seconds(30), steps: 10, step: 0.5 }

export interface AccountChoice {
  providerId: string
  /** The provider's id of the account, or the id of the row. */
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
  accessTokenExpiresAt !== null && accessTokenExpiresAt.getTime() - now.getTime() < ms(minLifetime)

/** The access token of an account, refreshed when it is about to expire. */
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

/** Refreshes the tokens of an account, also where they are still valid. */
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

/** Providers treat a second use of a refresh token as theft: one of parallel calls refreshes, and the others wait. */
async function refreshAccount(
  scope: Scope,
  configured: ConfiguredProvider,
  account: Account,
  tokens: ProviderTokens,
): Promise<ProviderTokens> {
  const turn = `provider-refresh:${account.id}:${account.updatedAt.getTime()}`
  const { allowed } = await scope.counters.hit(turn, { max: 1, window: refreshing.window })
  if (!allowed) return waitForRefresh(scope, account)
  try {
    const fresh = await refreshTokens(scope, configured, tokens.refreshToken!, scopesOfAccount(account), tokens.kept)
    const { idToken, claims } = fresh.idToken === null ? tokens : fresh
    const renewed = { ...fresh, idToken, claims }
    renewed.refreshTokenExpiresAt ??= fresh.refreshToken === tokens.refreshToken ? tokens.refreshTokenExpiresAt : null
    // Must be later than the value read; the timestamp distinguishes the two versions.
    const now = new Date(Math.max(scope.now().getTime(), account.updatedAt.getTime() + 1))
    await storeRefreshed(scope, account, await sealTokens(scope, renewed), now)
    return renewed
  } catch (thrown) {
    await scope.counters.forget(turn).catch(() => {})
    throw thrown
  }
}

const storeKind = 'social:store-tokens'

/** Stores refreshed tokens; after a second fault by a job, because the provider may have revoked the old ones. */
async function storeRefreshed(scope: Scope, seen: Account, tokens: SealedTokens, now: Date): Promise<void> {
  const store = () => refreshStoredTokens(scope.db, seen, tokens, now)
  try {
    await store().catch(store)
  } catch (thrown) {
    scope.log('error', 'refreshed-tokens-not-stored', { provider: seen.providerId, reason: reasonOf(thrown) })
    const payload: StoredLater = { id: seen.id, seen: seen.updatedAt.getTime(), now: now.getTime(), tokens }
    const work = unitOfWork(scope)
    work.defer(storeKind, payload)
    scope.after(() => work.commit())
  }
}

/** The payload of a job. Times are Unix times in milliseconds. */
export interface StoredLater {
  id: string
  seen: number
  now: number
  tokens: SealedTokens
}

const storeLater = (scope: Scope, { id, seen, now, tokens }: StoredLater): Promise<void> =>
  refreshStoredTokens(scope.db, { id, updatedAt: new Date(seen) }, withDates(tokens), new Date(now))

export const tokenJobs = { [storeKind]: { run: storeLater } }

async function waitForRefresh(scope: Scope, seen: Account): Promise<ProviderTokens> {
  for (let step = 0; step < refreshing.steps; step++) {
    await new Promise((done) => setTimeout(done, ms(refreshing.step)))
    const account = (await listAccounts(scope.db, seen.userId)).find(({ id }) => id === seen.id)
    if (!account) break
    if (account.updatedAt.getTime() !== seen.updatedAt.getTime()) return openTokens(scope, account)
  }
  throw new Fault('provider', new Error('another call is refreshing the same tokens'))
}

/** The provider's current profile of one of the caller's accounts. */
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
  // The id token of a provider without rules for id tokens is not verified.
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
