import { decodeJwt } from 'jose'
import type { Scope } from '../../identity/scope.ts'
import { hasEnded, knownClient } from './model/clients/find-client.ts'
import { presentedHash } from './model/grants/access-token.ts'
import { scopesNow } from './model/grants/service-tokens.ts'
import { subjectOf } from './model/grants/subjects.ts'
import { findAnyToken } from './model/grants/tokens.store.ts'
import { acrOf } from './model/protocol/authentication.ts'
import { type AuthorizationDetail, detailsAt } from './model/protocol/authorization-details.ts'
import { isDeleted, readResources } from './model/protocol/known-resources.ts'
import { words } from './model/protocol/parameters.ts'
import { scopesAt } from './model/protocol/resources.ts'
import { normalResource } from './model/protocol/urls.ts'

/** What a resource server gets of a token, as `ctx.props`. */
export interface TokenProps {
  /** The client's identifier of the user, or the client id of a service. */
  sub: string
  clientId: string
  /** A service has no user. */
  kind: 'user' | 'service'
  scope: string[]
  /** Unix seconds; null for a service. */
  authTime: number | null
  acr: string | null
  /** The agents that act for the user, the current one first; absent without agents. */
  actors?: string[]
  /** Authorization details (RFC 9396); absent without any. */
  authorizationDetails?: AuthorizationDetail[]
}

/** The result of a token check in the form of OAuthResourceTokenValidation of @cloudflare/workers-oauth-provider. */
export interface ValidatedToken {
  props: TokenProps
  audience: string
  /** Unix seconds. */
  expiresAt: number
  scope: string[]
  /** Absent for a service. */
  userId?: string
  clientId: string
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/**
 * A bearer token for one resource; null if it is unknown, expired, revoked or for another resource. A token that is bound
 * to a key is null, too: the proof is in the request, which the caller does not pass (RFC 9449, section 7.1). One round trip.
 */
export async function validateToken(
  scope: Scope,
  resource: string,
  accessToken: string,
): Promise<ValidatedToken | null> {
  const hash = await presentedHash(scope, accessToken)
  return validateHash(
    scope,
    hash,
    (token) => token.resource === normalResource(resource) && token.keyThumbprint === null,
  )
}

/**
 * Whether a JWT is valid at its resource, with all scopes that it states. An opaque token is not: nothing can be tried here.
 */
export async function isJwtActive(scope: Scope, accessToken: string): Promise<boolean> {
  const hash = await presentedHash(scope, accessToken)
  if (!hash.startsWith('jwt:')) return false
  const valid = await validateHash(scope, hash, () => true)
  const stated = words(String(decodeJwt(accessToken).scope ?? ''))
  return valid !== null && stated.every((name) => valid.scope.includes(name))
}

async function validateHash(
  scope: Scope,
  hash: string,
  accepts: (token: { resource: string | null; keyThumbprint: string | null }) => boolean,
): Promise<ValidatedToken | null> {
  const [{ found, service }] = await Promise.all([findAnyToken(scope, hash), readResources(scope)])
  const live = found ?? service
  if (!live || live.token.resource === null || !accepts(live.token) || isDeleted(scope, live.token.resource))
    return null
  const audience = live.token.resource
  const { clientId } = live.token
  const client = knownClient(scope, clientId, live.application)
  if (found) {
    const { token, user } = found
    if (hasEnded(clientId, client) || token.accessTokenExpiresAt <= scope.now()) return null
    const scopes = scopesAt(scope, words(token.scopes), token.resource)
    const sub = await subjectOf(scope, user.id, client)
    const acr = acrOf({ amr: token.amr, isGuest: user.isAnonymous })
    const details = detailsAt(scope, token.authorizationDetails, scopes, token.resource)
    const props: TokenProps = {
      ...{ sub, clientId, kind: 'user', scope: scopes, authTime: seconds(token.authTime), acr },
      ...(token.chain ? { actors: token.chain.map(({ agent }) => agent) } : {}),
      ...(details.length > 0 ? { authorizationDetails: details } : {}),
    }
    const expiresAt = seconds(token.accessTokenExpiresAt)
    return { props, audience, expiresAt, scope: scopes, userId: sub, clientId }
  }
  const scopes = scopesNow(scope, service!.token, client)
  if (!scopes) return null
  const props: TokenProps = { sub: clientId, clientId, kind: 'service', scope: scopes, authTime: null, acr: null }
  return { props, audience, expiresAt: seconds(service!.token.expiresAt), scope: scopes, clientId }
}
