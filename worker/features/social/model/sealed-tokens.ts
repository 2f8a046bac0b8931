import { decodeJwt } from 'jose'
import type { Account } from '../../../identity/model/accounts.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import type { SealedTokens } from './identities.store.ts'
import type { ProviderTokens } from './provider.ts'

/** The stored part of a provider's tokens. */
export type KeptTokens = Omit<ProviderTokens, 'claims' | 'tokenType' | 'raw'>

export async function sealTokens(scope: Scope, tokens: KeptTokens): Promise<SealedTokens> {
  const sealed = async (token: string | null) => (token === null ? null : seal(scope.settings.secrets, token))
  const [accessToken, refreshToken, idToken] = await Promise.all([
    sealed(tokens.accessToken),
    sealed(withKept(tokens)),
    sealed(tokens.idToken),
  ])
  const { accessTokenExpiresAt, refreshTokenExpiresAt, scopes } = tokens
  return {
    accessToken,
    refreshToken,
    idToken,
    accessTokenExpiresAt,
    refreshTokenExpiresAt,
    scope: scopes.join(',') || null,
  }
}

export const scopesOfAccount = (account: Pick<Account, 'scope'>): string[] =>
  (account.scope ?? '').split(',').filter(Boolean)

/** The tokens of an account. A token that was sealed with a removed secret is null. */
export async function openTokens(scope: Scope, account: Account): Promise<ProviderTokens> {
  const opened = async (sealed: string | null) => {
    if (sealed === null) return null
    try {
      return await open(scope.settings.secrets, sealed)
    } catch {
      scope.log('warn', 'token-cannot-be-opened', { provider: account.providerId })
      return null
    }
  }
  const [accessToken, refreshToken, idToken] = await Promise.all([
    opened(account.accessToken),
    opened(account.refreshToken),
    opened(account.idToken),
  ])
  const { accessTokenExpiresAt, refreshTokenExpiresAt } = account
  return {
    accessToken,
    ...splitKept(refreshToken),
    idToken,
    claims: claimsOf(idToken),
    tokenType: 'bearer',
    accessTokenExpiresAt,
    refreshTokenExpiresAt,
    scopes: scopesOfAccount(account),
    raw: {},
  }
}

const keptMark = 'kept:'

type Expiries = Pick<KeptTokens, 'accessTokenExpiresAt' | 'refreshTokenExpiresAt'>

/** Restores the dates of tokens that were stored as JSON. */
export function withTokenDates<T extends Expiries>(tokens: T): T {
  const date = (value: Date | null) => value && new Date(value)
  const { accessTokenExpiresAt, refreshTokenExpiresAt } = tokens
  return {
    ...tokens,
    accessTokenExpiresAt: date(accessTokenExpiresAt),
    refreshTokenExpiresAt: date(refreshTokenExpiresAt),
  }
}

/** A refresh token, with the parameters that its use requires. */
const withKept = ({ refreshToken, kept }: KeptTokens): string | null =>
  refreshToken !== null && kept ? `${keptMark}${JSON.stringify({ refreshToken, kept })}` : refreshToken

function splitKept(text: string | null): Pick<ProviderTokens, 'refreshToken' | 'kept'> {
  if (!text?.startsWith(keptMark)) return { refreshToken: text }
  const { refreshToken, kept } = JSON.parse(text.slice(keptMark.length))
  return { refreshToken, kept }
}

/** For a provider with rules for id tokens, only verified ones are stored. */
function claimsOf(idToken: string | null): ProviderTokens['claims'] {
  try {
    return idToken === null ? null : decodeJwt(idToken)
  } catch {
    return null
  }
}
