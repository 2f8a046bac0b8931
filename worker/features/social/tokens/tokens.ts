import { listAccounts } from '../../../identity/accounts/accounts.store.ts'
import type { Account } from '../../../identity/model/accounts.table.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { Fault, passFault } from '../../../kit/errors.ts'
import { ms, seconds } from '../../../kit/time.ts'
import { reasonOf } from '../../../platform/log.ts'
import { anyConfiguredProvider } from '../find-provider.ts'
import { type ConfiguredProvider, providerContextOf } from '../model/configured-provider.ts'
import { refreshTokens } from '../model/exchange.ts'
import { fetchProfile, type KnownPerson, readPerson } from '../model/profile.ts'
import type { Profile, ProviderTokens } from '../model/provider.ts'
import { openTokens, scopesOfAccount, sealTokens } from '../model/sealed-tokens.ts'
import { socialErrors as errors, providerNotSupported } from '../model/social.errors.ts'
import { readKept, storeKept, storeRefreshed, withRefreshed } from './store-refreshed.ts'

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
    return await refreshAccount(scope, configured, account, (kept) => !isExpiring(kept, scope.now()))
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
    return await refreshAccount(scope, configured, account, () => false)
  } catch (thrown) {
    passFault(thrown)
    throw errors.FAILED_TO_REFRESH_ACCESS_TOKEN({ detail: reasonOf(thrown) })
  }
}

/**
 * Refreshes the tokens of an account. @param isEnough whether tokens of the last refresh that the database lacks are returned in
 * place of new ones @throws Fault where the database would have to store them first
 */
async function refreshAccount(
  scope: Scope,
  configured: ConfiguredProvider,
  stored: Account,
  isEnough: (kept: Account) => boolean,
): Promise<ProviderTokens> {
  const kept = await readKept(scope, stored)
  if (kept === null) return refreshInTurn(scope, configured, stored)
  const account = withRefreshed(stored, kept)
  if (!isEnough(account)) {
    await storeKept(scope, kept)
    return refreshInTurn(scope, configured, account)
  }
  scope.after(() => storeKept(scope, kept))
  return openTokens(scope, account)
}

/** Providers treat a second use of a refresh token as theft: one of parallel calls refreshes, and the others wait. */
async function refreshInTurn(scope: Scope, configured: ConfiguredProvider, account: Account): Promise<ProviderTokens> {
  const turn = `provider-refresh:${account.id}:${account.updatedAt.getTime()}`
  const { allowed } = await scope.counters.hit(turn, { max: 1, window: refreshing.window })
  if (!allowed) return waitForRefresh(scope, account)
  const work = refreshAndStore(scope, configured, account)
  // The runtime ends a request whose caller has disconnected.
  scope.after(work.catch(() => {}))
  try {
    return await work
  } catch (thrown) {
    await scope.counters.forget(turn).catch(() => {})
    throw thrown
  }
}

async function refreshAndStore(
  scope: Scope,
  configured: ConfiguredProvider,
  account: Account,
): Promise<ProviderTokens> {
  const tokens = await openTokens(scope, account)
  const fresh = await refreshTokens(scope, configured, tokens.refreshToken!, scopesOfAccount(account), tokens.kept)
  const { idToken, claims } = fresh.idToken === null ? tokens : fresh
  const renewed = { ...fresh, idToken, claims }
  renewed.refreshTokenExpiresAt ??= fresh.refreshToken === tokens.refreshToken ? tokens.refreshTokenExpiresAt : null
  const { id, updatedAt } = account
  // Must be later than the value read; the timestamp distinguishes the two versions.
  const now = Math.max(scope.now().getTime(), updatedAt.getTime() + 1)
  await storeRefreshed(scope, { id, seen: updatedAt.getTime(), now, tokens: await sealTokens(scope, renewed) })
  return renewed
}

async function waitForRefresh(scope: Scope, seen: Account): Promise<ProviderTokens> {
  for (let step = 0; step < refreshing.steps; step++) {
    await new Promise((done) => setTimeout(done, ms(refreshing.step)))
    const account = (await listAccounts(scope.db, seen.userId)).find(({ id }) => id === seen.id)
    if (!account) break
    if (account.updatedAt.getTime() !== seen.updatedAt.getTime()) return openTokens(scope, account)
  }
  const kept = await readKept(scope, seen)
  if (kept) return openTokens(scope, withRefreshed(seen, kept))
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
  const context = providerContextOf(scope, configured)
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
