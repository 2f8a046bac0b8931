import type { Scope } from '../../../../identity/scope.ts'
import { unitOfWork } from '../../../../identity/unit-of-work.ts'
import { newId, randomString } from '../../../../kit/random.ts'
import { after } from '../../../../kit/time.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import type { Client, ServiceRights } from '../clients/client.ts'
import { type Parameters, words } from '../protocol/parameters.ts'
import { accessTokenLifetime, chooseResource, scopesOfService } from '../protocol/resources.ts'
import { normalResource } from '../protocol/urls.ts'
import { readProof } from '../requests/dpop.ts'
import { presentedToken, storedHash } from './access-token.ts'
import type { OAuthServiceToken } from './grants.table.ts'
import { insertServiceToken } from './service-tokens.store.ts'
import type { TokenAnswer } from './tokens.ts'

/** The one resource of the request, and its scopes: those that the request names, or all of the service. */
function accessOf(scope: Scope, service: ServiceRights, given: Parameters): { resource: string; scopes: string[] } {
  const resources = Object.keys(service.access).map(normalResource)
  const chosen = chooseResource(given.resource, resources.join(' '))
  if (chosen === 'ambiguous') throw oauthError('invalid_target', 'the request must name one resource')
  if (chosen === 'foreign' || chosen.resource === null) {
    throw oauthError('invalid_target', 'the service has no access to the resource')
  }
  const allowed = scopesOfService(scope, service, chosen.resource)
  if (!allowed) throw oauthError('invalid_target', 'the resource does not exist')
  const wanted = given.scope === undefined ? [...allowed] : words(given.scope)
  const invalid = wanted.filter((name) => !allowed.includes(name))
  if (invalid.length > 0) throw oauthError('invalid_scope', `The following scopes are invalid: ${invalid.join(', ')}`)
  return { resource: chosen.resource, scopes: wanted }
}

/**
 * A token of a service for one resource, without a user and without a refresh token (RFC 6749, section 4.4.3): its `sub`
 * is the client id. @param client proven
 * @throws invalid_target, invalid_scope, invalid_dpop_proof, slow_down with status 429 above the limit of the service
 */
export async function issueServiceToken(
  scope: Scope,
  client: Client,
  service: ServiceRights,
  given: Parameters,
): Promise<TokenAnswer> {
  const { resource, scopes } = accessOf(scope, service, given)
  const key = await readProof(scope, client)
  if (key === null && service.requireDPoP) throw oauthError('invalid_dpop_proof', 'the service needs a DPoP proof')
  const { clientId } = client
  const { allowed, retryAfter } = await scope.counters.hit(`service-tokens:${clientId}`, service.limit)
  if (!allowed) {
    const headers = { 'retry-after': String(retryAfter) }
    throw oauthError('slow_down', 'the service has received its maximum number of tokens', { status: 429, headers })
  }
  const secret = randomString(43)
  const now = scope.now()
  // Tokens do not outlive their service.
  const left = client.expiresAt
    ? Math.floor((client.expiresAt.getTime() - now.getTime()) / 1000)
    : Number.POSITIVE_INFINITY
  const expiresIn = Math.min(accessTokenLifetime(scope, resource), left)
  const work = unitOfWork(scope)
  work.audit({
    action: 'oauth2.token',
    actor: { type: 'client', id: null, via: clientId },
    subjectType: 'oauth-client',
    subjectId: clientId,
    after: { scopes: scopes.join(' '), resource },
  })
  work.run(
    insertServiceToken(scope.db, {
      id: newId(),
      accessToken: storedHash(scope, secret, resource),
      clientId,
      scopes: scopes.join(' '),
      resource,
      keyThumbprint: key,
      expiresAt: after(now, expiresIn),
      createdAt: now,
    }),
  )
  await work.commit()
  const facts = {
    ...{ clientId, resource, scopes, keyThumbprint: key, sub: clientId, expiresIn },
    details: [],
    authentication: null,
    user: null,
    act: undefined,
  }
  return {
    access_token: await presentedToken(scope, secret, facts),
    token_type: key ? 'DPoP' : 'Bearer',
    expires_in: expiresIn,
    scope: scopes.join(' '),
  }
}

/**
 * The scopes that a stored token still has: those that its service may have now. Null if the service
 * ended. @param client the client of the token, null if it does not exist
 */
export function scopesNow(scope: Scope, token: OAuthServiceToken, client: Client | null): string[] | null {
  if (!client?.service || client.disabled) return null
  const allowed = scopesOfService(scope, client.service, token.resource)
  return allowed && words(token.scopes).filter((name) => allowed.includes(name))
}
