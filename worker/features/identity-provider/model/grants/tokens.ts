import type { User } from '../../../../identity/model/users.table.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { deriveKey, hmac, sha256 } from '../../../../kit/hash.ts'
import { newId } from '../../../../kit/random.ts'
import { after } from '../../../../kit/time.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import type { Client } from '../clients/client.ts'
import { acrOf } from '../protocol/authentication.ts'
import { type AuthorizationDetail, detailsAt } from '../protocol/authorization-details.ts'
import { words } from '../protocol/parameters.ts'
import { accessTokenLifetime, requireResource, scopesAt } from '../protocol/resources.ts'
import { presentedToken, storedHash } from './access-token.ts'
import { actClaimOf } from './chain.ts'
import type { OAuthAccessToken } from './grants.table.ts'
import { subjectOf } from './subjects.ts'

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
  | 'grantedResources'
  | 'claims'
  | 'authorizationDetails'
  | 'chain'
  | 'keyThumbprint'
  | 'sessionId'
  | 'authTime'
  | 'amr'
  | 'method'
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

/** @throws invalid_target for a resource that an administrator has deleted */
export function tokenRowOf(
  scope: Scope,
  { accessToken, refreshToken }: TokenPair,
  grant: TokenGrant,
): OAuthAccessToken {
  const { refreshTokenExpiresIn, refreshTokenMaxLifetime } = identityProviderOptions.of(scope)
  requireResource(scope, grant.resource)
  const now = scope.now()
  const refreshEnds = Math.min(
    after(now, refreshTokenExpiresIn).getTime(),
    after(grant.grantedAt, refreshTokenMaxLifetime).getTime(),
  )
  return {
    ...grant,
    id: newId(),
    accessToken: storedHash(scope, accessToken, grant.resource),
    refreshToken: refreshToken === null ? null : sha256(refreshToken),
    accessTokenExpiresAt: after(now, accessTokenLifetime(scope, grant.resource)),
    refreshTokenExpiresAt: refreshToken === null ? null : new Date(refreshEnds),
    refreshedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** RFC 6749, section 5.1. */
export interface TokenAnswer {
  access_token: string
  /** `N_A`: an assertion, which is not an access token. */
  token_type: 'Bearer' | 'DPoP' | 'N_A'
  /** Seconds; absent for a token of a provider that states no end. */
  expires_in?: number
  refresh_token?: string
  scope: string
  id_token?: string
  /** What is granted in addition to the scopes (RFC 9396, section 7). */
  authorization_details?: AuthorizationDetail[]
  /** Of a token exchange (RFC 8693, section 2.2.1). */
  issued_token_type?: string
}

/** @param user who granted the access @param expiresIn seconds, if it is less than the lifetime at the resource */
export async function answerOf(
  scope: Scope,
  pair: TokenPair,
  grant: TokenGrant,
  { client, user, expiresIn }: { client: Client; user: User; expiresIn?: number },
): Promise<TokenAnswer> {
  const { clientId, resource, keyThumbprint, authTime, amr } = grant
  const scopes = scopesAt(scope, words(grant.scopes), resource)
  const sub = await subjectOf(scope, user.id, client)
  const authentication = { authTime, amr, acr: acrOf({ amr, isGuest: user.isAnonymous }) }
  const lifetime = expiresIn ?? accessTokenLifetime(scope, resource)
  const act = actClaimOf(grant.chain)
  const details = detailsAt(scope, grant.authorizationDetails, scopes, resource)
  const facts = {
    ...{ clientId, resource, scopes, details, keyThumbprint, sub, authentication, user, act },
    expiresIn: lifetime,
  }
  return {
    access_token: await presentedToken(scope, pair.accessToken, facts),
    token_type: keyThumbprint ? 'DPoP' : 'Bearer',
    expires_in: lifetime,
    ...(pair.refreshToken === null ? {} : { refresh_token: pair.refreshToken }),
    scope: scopes.join(' '),
    ...(details.length > 0 ? { authorization_details: details } : {}),
  }
}
