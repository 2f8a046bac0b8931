import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { readCached, writeCached } from '../../../../identity/document-cache.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { endpointUrl } from '../../../../identity/settings.ts'
import { clockTolerance, verifyForeignJwt } from '../../../../kit/foreign-jwt.ts'
import { sha256 } from '../../../../kit/hash.ts'
import { hours, minutes } from '../../../../kit/time.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import { acceptedAlgorithms, isFapi } from '../protocol/security-profile.ts'
import { issuerOf } from '../protocol/urls.ts'
import type { Client } from './client.ts'
import { allowFetch, fetchJson } from './fetch-json.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Only asymmetric algorithms: a client with a shared secret sends the secret. */
export const assertionAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']

/** Maximum time until an assertion expires; its id is stored as long. */
const maxLifetime = hours(1)

export function isKeySet(value: unknown): value is JSONWebKeySet {
  try {
    createLocalJWKSet(value as JSONWebKeySet)
    return true
  } catch {
    return false
  }
}

/** The client's keys, from its registration or its `jwks_uri`, cached for ten minutes. */
export async function readClientKeys(scope: Scope, { clientId, registration }: Client): Promise<JSONWebKeySet> {
  const { jwks, jwks_uri: address } = registration
  if (jwks) return jwks as unknown as JSONWebKeySet
  if (!address) throw oauthError('invalid_client', 'the client has no keys')
  // A client id may be an address, which could be too long for a key.
  const key = `client-keys:${sha256(clientId)}`
  allowFetch(scope)
  const known = await readCached<JSONWebKeySet>(scope, key)
  if (known) return known
  const found = await fetchJson(scope, address, { kind: 'keys' })
  if (!isKeySet(found)) throw oauthError('invalid_client', 'the keys of the client cannot be read')
  writeCached(scope, key, found, minutes(10))
  return found
}

/**
 * Verifies a JWT of the client (RFC 7523, section 3; OpenID Connect Core, section 9): issuer and subject are the
 * client, the audience is this server, it is short-lived and used once. @throws invalid_client
 */
export async function verifyClientAssertion(scope: Scope, client: Client, assertion: string): Promise<void> {
  const refused = (detail: string) => oauthError('invalid_client', 'invalid client_assertion', { detail })
  const keys = createLocalJWKSet(await readClientKeys(scope, client))
  // FAPI 2.0 Security Profile, section 5.3.2.1, item 8: the issuer only.
  const endpoints = [endpointUrl(scope, scope.request.path), endpointUrl(scope, '/oauth2/token')]
  const audience = [issuerOf(scope), ...(isFapi(scope) ? [] : endpoints)]
  const { payload } = await verifyForeignJwt(assertion, keys, {
    issuer: client.clientId,
    subject: client.clientId,
    audience,
    algorithms: acceptedAlgorithms(scope, assertionAlgorithms),
    requiredClaims: ['exp', 'jti'],
    currentDate: scope.now(),
  }).catch((thrown: Error) => {
    throw refused(thrown.message)
  })
  if (typeof payload.jti !== 'string') throw refused('its jti is not a text')
  if (isFapi(scope) && typeof payload.aud !== 'string') throw refused('it has several audiences')
  const remaining = payload.exp! - scope.now().getTime() / 1000
  if (remaining > maxLifetime) throw refused('it lives too long')
  // An attacker cannot replay it (RFC 7523, section 3, item 7).
  const { allowed } = await scope.counters.hit(`client-assertion:${client.clientId}:${payload.jti}`, {
    max: 1,
    window: maxLifetime + clockTolerance,
  })
  if (!allowed) throw refused('it has been used before')
}
