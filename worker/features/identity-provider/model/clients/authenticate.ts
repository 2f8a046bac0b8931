import { Buffer } from 'node:buffer'
import type { Scope } from '../../../../identity/scope.ts'
import { equalSecrets, sha256 } from '../../../../kit/hash.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { isFapi } from '../protocol/security-profile.ts'
import type { Client } from './client.ts'
import { findClient } from './find-client.ts'
import { assertionType, verifyClientAssertion } from './private-key-jwt.ts'

/** The credentials of a client, not verified yet (RFC 6749, section 2.3). */
export type ClientCredentials =
  | { way: 'secret'; clientId: string; secrets: string[] }
  | { way: 'assertion'; clientId: string; assertion: string }
  | { way: 'none'; clientId: string }

const invalidClient = (description: string) => oauthError('invalid_client', description)

/** RFC 6749, appendix B: both halves are form-encoded before they are joined. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** @returns the secret with and without decoding: many clients do not encode the halves */
function readBasic(header: string): { clientId: string; secrets: string[] } | null {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(header) ?? []
  const [id, ...rest] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':')
  if (!id || rest.length === 0) return null
  const [clientId, secret] = [decoded(id), rest.join(':')]
  if (!clientId || !secret) return null
  return { clientId, secrets: [secret, decoded(secret) ?? secret] }
}

/** The subject of an assertion, not verified yet. */
function subjectOf(assertion: string): string | null {
  try {
    const { sub } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return typeof sub === 'string' ? sub : null
  } catch {
    return null
  }
}

/** @throws invalid_client without credentials; invalid_request for more than one kind, or contradictory ones */
export function readCredentials(authorization: string | null, given: Parameters): ClientCredentials {
  const basic = authorization?.toLowerCase().startsWith('basic')
  const ways = [basic, given.client_secret !== undefined, given.client_assertion !== undefined].filter(Boolean)
  if (ways.length > 1) throw oauthError('invalid_request', 'more than one way of client authentication')
  if (basic) {
    const read = readBasic(authorization!)
    if (!read) throw invalidClient('invalid authorization header format')
    if (given.client_id !== undefined && given.client_id !== read.clientId) {
      throw oauthError('invalid_request', 'client_id does not match the authorization header')
    }
    return { way: 'secret', ...read }
  }
  if (given.client_assertion !== undefined) {
    if (given.client_assertion_type !== assertionType) throw invalidClient('invalid client_assertion_type')
    const clientId = subjectOf(given.client_assertion)
    if (!clientId || (given.client_id !== undefined && given.client_id !== clientId)) {
      throw invalidClient('invalid client_assertion')
    }
    return { way: 'assertion', clientId, assertion: given.client_assertion }
  }
  if (!given.client_id) throw invalidClient('client_id and client_secret are required')
  if (given.client_secret === undefined) return { way: 'none', clientId: given.client_id }
  return { way: 'secret', clientId: given.client_id, secrets: [given.client_secret] }
}

/** Verifies the credentials by the registered method; a secret is in the header or the body. @throws invalid_client */
export async function authenticate(
  scope: Scope,
  client: Client | null,
  credentials: ClientCredentials,
): Promise<Client> {
  if (!client) throw invalidClient('invalid client_id')
  if (client.disabled) throw invalidClient('client is disabled')
  const { authenticationMethod: method, secretHashes } = client
  // FAPI 2.0 Security Profile, section 5.3.2.1, items 3 and 6.
  if (isFapi(scope) && method !== 'private_key_jwt') throw invalidClient('the security profile needs private_key_jwt')
  if (method === 'none') {
    // A public client has no secret: any secret is accepted.
    if (credentials.way === 'assertion') throw invalidClient('invalid client_assertion')
    return client
  }
  if (method === 'private_key_jwt') {
    if (credentials.way !== 'assertion') throw invalidClient('client_assertion is required')
    await verifyClientAssertion(scope, client, credentials.assertion)
    return client
  }
  if (credentials.way !== 'secret') throw invalidClient('client_id and client_secret are required')
  const given = credentials.secrets.map((secret) => sha256(secret))
  if (!secretHashes.some((hash) => given.some((one) => equalSecrets(one, hash)))) {
    throw invalidClient('invalid client_secret')
  }
  return client
}

/** Finds and authenticates the client of a request. @throws invalid_client, invalid_request */
export async function requireClient(scope: Scope, given: Parameters, authorization: string | null): Promise<Client> {
  const credentials = readCredentials(authorization, given)
  return authenticate(scope, await findClient(scope, credentials.clientId), credentials)
}
