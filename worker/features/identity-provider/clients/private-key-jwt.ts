import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { readCached } from '../../../identity/read-cached.ts'
import type { Scope } from '../../../identity/scope.ts'
import { hours, minutes, seconds } from '../../../kit/time.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { endpointUrl, issuerOf } from '../issuer.ts'
import { allowFetch, fetchJson } from '../outside.ts'
import type { Client } from './client.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Asymmetric ones only: a client that shares a secret with us sends it. */
export const assertionAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']

/** How far an assertion may look ahead, and so for how long its id is remembered. */
const longestLife = hours(1)

/** The client's keys: of its registration, or from where it publishes them, remembered for a while. */
export async function readClientKeys(scope: Scope, { clientId, registration }: Client): Promise<JSONWebKeySet> {
  const { jwks, jwks_uri: address } = registration
  if (jwks) return jwks as unknown as JSONWebKeySet
  if (!address) throw oauthError('invalid_client', 'the client has no keys')
  const key = `client-keys:${clientId}`
  allowFetch(scope)
  const known = await readCached<JSONWebKeySet>(scope, key)
  if (known) return known
  const found = (await fetchJson(scope, address)) as JSONWebKeySet | null
  if (!Array.isArray(found?.keys)) throw oauthError('invalid_client', 'the keys of the client cannot be read')
  scope.after(() => scope.uncounted.kv.put(key, found, minutes(10)))
  return found
}

/**
 * A JWT that the client has signed (RFC 7523, section 3, and OpenID Connect Core, section 9): by itself, about itself,
 * for us, short-lived, and once.
 * @throws invalid_client
 */
export async function verifyAssertion(scope: Scope, client: Client, assertion: string): Promise<void> {
  const refused = (detail: string) => oauthError('invalid_client', 'invalid client_assertion', { detail })
  const keys = createLocalJWKSet(await readClientKeys(scope, client))
  const audience = [issuerOf(scope), endpointUrl(scope, scope.request.path), endpointUrl(scope, '/oauth2/token')]
  const { payload } = await jwtVerify(assertion, keys, {
    issuer: client.clientId,
    subject: client.clientId,
    audience,
    algorithms: assertionAlgorithms,
    requiredClaims: ['exp', 'jti'],
    clockTolerance: seconds(10),
    currentDate: scope.now(),
  }).catch((thrown: Error) => {
    throw refused(thrown.message)
  })
  const remaining = payload.exp! - scope.now().getTime() / 1000
  if (remaining > longestLife) throw refused('it lives too long')
  // Whoever has overheard it cannot use it again (RFC 7523, section 3, item 7).
  const { allowed } = await scope.counters.hit(`client-assertion:${client.clientId}:${payload.jti}`, {
    max: 1,
    window: longestLife + seconds(10),
  })
  if (!allowed) throw refused('it has been used before')
}
