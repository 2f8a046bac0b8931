import type { Scope } from '../../../identity/scope.ts'
import { deriveKey, hmac, sha256 } from '../../../kit/hash.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import type { OAuthAccessToken } from './grants.table.ts'

/** The secrets that the client gets. */
export interface TokenPair {
  accessToken: string
  /** Null without offline_access. */
  refreshToken: string | null
}

/** The columns of a pair that its successors inherit. */
export type TokenGrant = Pick<
  OAuthAccessToken,
  | 'clientId'
  | 'userId'
  | 'securityVersion'
  | 'scopes'
  | 'grantId'
  | 'resource'
  | 'keyThumbprint'
  | 'sessionId'
  | 'authTime'
  | 'amr'
  | 'grantedAt'
>

/** All tokens of one code share this id. */
export const grantIdOf = (code: string): string => sha256(`grant:${code}`)

/** The pair after a code or refresh token, derived from it, so that a repeated request gets the same. 256 bits each. */
export function pairAfter(scope: Scope, predecessor: string, withRefreshToken: boolean): TokenPair {
  const derive = (purpose: string) =>
    hmac(deriveKey(scope.settings.secrets[0], 'token-pair'), `${purpose}:${predecessor}`)
  return {
    accessToken: derive('access-token'),
    refreshToken: withRefreshToken ? derive('refresh-token') : null,
  }
}

export function rowOf(scope: Scope, { accessToken, refreshToken }: TokenPair, grant: TokenGrant): OAuthAccessToken {
  const { accessTokenExpiresIn, refreshTokenExpiresIn, refreshTokenMaxLifetime } = identityProviderOptions.of(scope)
  const now = scope.now()
  const refreshEnds = Math.min(
    after(now, refreshTokenExpiresIn).getTime(),
    after(grant.grantedAt, refreshTokenMaxLifetime).getTime(),
  )
  return {
    ...grant,
    id: newId(),
    accessToken: sha256(accessToken),
    refreshToken: refreshToken === null ? null : sha256(refreshToken),
    accessTokenExpiresAt: after(now, accessTokenExpiresIn),
    refreshTokenExpiresAt: refreshToken === null ? null : new Date(refreshEnds),
    refreshedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** RFC 6749, section 5.1. */
export const answerOf = (scope: Scope, pair: TokenPair, grant: Pick<TokenGrant, 'scopes' | 'keyThumbprint'>) => ({
  access_token: pair.accessToken,
  token_type: grant.keyThumbprint ? 'DPoP' : 'Bearer',
  expires_in: identityProviderOptions.of(scope).accessTokenExpiresIn,
  ...(pair.refreshToken === null ? {} : { refresh_token: pair.refreshToken }),
  scope: grant.scopes,
})

export type TokenAnswer = ReturnType<typeof answerOf> & { id_token?: string }
