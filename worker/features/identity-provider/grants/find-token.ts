import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import type { Client } from '../clients/client.ts'
import { clientOf, hasEnded, knownClient } from '../clients/find-client.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { readBodyParameters } from '../protocol/parameters.ts'
import type { OAuthAccessToken } from './grants.table.ts'
import { findClientAndToken } from './tokens.store.ts'

export interface FoundToken {
  client: Client
  token: OAuthAccessToken | null
  user: User | null
  /** Whether the client that owns the token is disabled or deleted. */
  ended: boolean
  /** Which secret of the pair the request names. */
  type: 'access_token' | 'refresh_token'
}

/** Authenticates a client, and finds the token of its request (RFC 7662, section 2.1; RFC 7009, section 2.1). */
export async function findTokenForClient(scope: Scope, request: Request, raw: string): Promise<FoundToken> {
  const given = readBodyParameters(raw, request.headers.get('content-type'))
  const credentials = readCredentials(request.headers.get('authorization'), given)
  const hash = sha256(given.token ?? '')
  const { application, found } = await findClientAndToken(scope.db, credentials.clientId, hash, scope.now())
  const known = await clientOf(scope, credentials.clientId, application)
  const client = await authenticate(scope, known, credentials)
  if (!given.token) throw oauthError('invalid_request', 'token is required')
  const type = found?.token.refreshToken === hash ? 'refresh_token' : 'access_token'
  if (!found) return { client, token: null, user: null, ended: false, type }
  const { token, user } = found
  const ended = hasEnded(token.clientId, knownClient(scope, token.clientId, found.application))
  return { client, token, user, ended, type }
}
