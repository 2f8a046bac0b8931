import { decodeJwt } from 'jose'
import type { Account } from '../../identity/accounts/accounts.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { open, seal } from '../../kit/encrypt.ts'
import type { ProviderTokens } from './provider.ts'
import type { SealedTokens } from './social.store.ts'

/** What is kept of a provider's tokens. */
export type KeptTokens = Omit<ProviderTokens, 'claims' | 'tokenType' | 'raw'>

/** A provider's tokens as they are stored. */
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

/** The tokens of an account. What was sealed with a secret that is gone counts as not there. */
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

/** A refresh token, with what it cannot be used without. */
const withKept = ({ refreshToken, kept }: KeptTokens): string | null =>
  refreshToken !== null && kept ? `${keptMark}${JSON.stringify({ refreshToken, kept })}` : refreshToken

function splitKept(text: string | null): Pick<ProviderTokens, 'refreshToken' | 'kept'> {
  if (!text?.startsWith(keptMark)) return { refreshToken: text }
  const { refreshToken, kept } = JSON.parse(text.slice(keptMark.length))
  return { refreshToken, kept }
}

/** Where id tokens are read at all, only verified ones are stored: their claims need no second look. */
function claimsOf(idToken: string | null): ProviderTokens['claims'] {
  try {
    return idToken === null ? null : decodeJwt(idToken)
  } catch {
    return null
  }
}
