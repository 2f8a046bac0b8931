import { createHmac } from 'node:crypto'
import type { Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import type { OAuthAccessToken } from '../identity-provider.table.ts'

/** The secrets of a pair, as the client gets them. */
export interface TokenPair {
  accessToken: string
  /** Null where offline_access was not granted. */
  refreshToken: string | null
}

/** What a pair is good for. */
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
>

/** All tokens that come from one code share this. */
export const grantIdOf = (code: string): string => sha256(`grant:${code}`)

/**
 * The pair that follows a code or a refresh token. It is derived from it, so that a client that has lost the answer
 * gets the same one again and parallel requests agree, though nothing that is stored can be used. 256 bits each.
 */
export function pairAfter(scope: Scope, predecessor: string, withRefreshToken: boolean): TokenPair {
  const derive = (purpose: string) =>
    createHmac('sha256', scope.settings.secrets[0]).update(`${purpose}:${predecessor}`).digest('base64url')
  return {
    accessToken: derive('access-token'),
    refreshToken: withRefreshToken ? derive('refresh-token') : null,
  }
}

/** The row of a pair: hashes and times. */
export function rowOf(scope: Scope, { accessToken, refreshToken }: TokenPair, grant: TokenGrant): OAuthAccessToken {
  const { accessTokenExpiresIn, refreshTokenExpiresIn } = identityProviderOptions.of(scope)
  const now = scope.now()
  return {
    id: newId(),
    ...grant,
    accessToken: sha256(accessToken),
    refreshToken: refreshToken === null ? null : sha256(refreshToken),
    accessTokenExpiresAt: after(now, accessTokenExpiresIn),
    refreshTokenExpiresAt: refreshToken === null ? null : after(now, refreshTokenExpiresIn),
    refreshedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The answer of the token endpoint (RFC 6749, section 5.1). */
export const answerOf = (scope: Scope, pair: TokenPair, grant: Pick<TokenGrant, 'scopes' | 'keyThumbprint'>) => ({
  access_token: pair.accessToken,
  token_type: grant.keyThumbprint ? 'DPoP' : 'Bearer',
  expires_in: identityProviderOptions.of(scope).accessTokenExpiresIn,
  ...(pair.refreshToken === null ? {} : { refresh_token: pair.refreshToken }),
  scope: grant.scopes,
})

export type TokenAnswer = ReturnType<typeof answerOf> & { id_token?: string }
