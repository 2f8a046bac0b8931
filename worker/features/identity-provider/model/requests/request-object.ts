import { createLocalJWKSet } from 'jose'
import type { Scope } from '../../../../identity/scope.ts'
import { OAuthError } from '../../../../kit/errors.ts'
import { verifyForeignJwt } from '../../../../kit/foreign-jwt.ts'
import { hours } from '../../../../kit/time.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import type { Client } from '../clients/client.ts'
import { assertionAlgorithms, readClientKeys } from '../clients/private-key-jwt.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { acceptedAlgorithms } from '../protocol/security-profile.ts'
import { issuerOf } from '../protocol/urls.ts'

/** Maximum time until a request object expires (FAPI 2.0 Message Signing, section 5.3.1). */
const maxLifetime = hours(1)

/** RFC 9101, section 10.8, and the forms of earlier clients. No other JWT of a client has the first one. */
const types = ['oauth-authz-req+jwt', 'JWT', undefined]

/** The claims that are about the JWT (RFC 7519, section 4.1), and those that a request object must not have. */
const notParameters = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sub']

/**
 * The parameters of a signed request (RFC 9101, section 6): those of the object only, because the others are not signed.
 * @throws invalid_request_object
 */
export async function readRequestObject(scope: Scope, client: Client, object: string): Promise<Parameters> {
  const refused = (detail: string) => oauthError('invalid_request_object', 'invalid request object', { detail })
  const found = await readClientKeys(scope, client).catch((thrown) => {
    if (!(thrown instanceof OAuthError)) throw thrown
    throw refused(thrown.description)
  })
  const keys = createLocalJWKSet(found)
  const { payload, protectedHeader } = await verifyForeignJwt(object, keys, {
    issuer: client.clientId,
    audience: issuerOf(scope),
    algorithms: acceptedAlgorithms(scope, assertionAlgorithms),
    requiredClaims: ['exp'],
    currentDate: scope.now(),
  }).catch((thrown: Error) => {
    throw refused(thrown.message)
  })
  if (!types.includes(protectedHeader.typ)) throw refused('it has another type')
  // A client assertion has this subject (RFC 9101, section 10.8).
  if (payload.sub === client.clientId) throw refused('it is a client assertion')
  if (payload.exp! - scope.now().getTime() / 1000 > maxLifetime) throw refused('it lives too long')
  // OpenID Connect CIBA, section 7.1.1, has no `client_id` in it: the issuer is the client.
  if (payload.client_id !== undefined && payload.client_id !== client.clientId) throw refused('it is of another client')
  if (payload.request !== undefined || payload.request_uri !== undefined) throw refused('it contains another request')
  const entries = Object.entries(payload).filter(([name]) => !notParameters.includes(name))
  return Object.fromEntries(entries.flatMap(([name, value]) => parameter(name, value)))
}

/** A member as a parameter: numbers as texts, a list of resources joined by spaces, and objects as JSON. */
function parameter(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined || value === '') return []
  if (name === 'resource' && Array.isArray(value)) return [[name, value.join(' ')]]
  return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]]
}
