import type { User } from '../../../../identity/model/users.table.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import type { Client } from '../clients/client.ts'
import { clientOf, hasEnded, knownClient } from '../clients/find-client.ts'
import { readResources } from '../protocol/known-resources.ts'
import { readBodyParameters } from '../protocol/parameters.ts'
import { presentedHash } from './access-token.ts'
import type { OAuthAccessToken, OAuthServiceToken } from './grants.table.ts'
import { scopesNow } from './service-tokens.ts'
import { findClientAndToken } from './tokens.store.ts'

export interface FoundToken {
  client: Client
  token: OAuthAccessToken | null
  user: User | null
  /** The token, if it is that of a service, with the scopes that the service still has. */
  service: { token: OAuthServiceToken; scopes: string[] } | null
  /** Whether the client that owns the token is disabled or deleted. */
  ended: boolean
  /** Which secret of the pair the request names. */
  type: 'access_token' | 'refresh_token'
}

/** Authenticates a client, and finds the token of its request (RFC 7662, section 2.1; RFC 7009, section 2.1). */
export async function findTokenForClient(scope: Scope, request: Request, raw: string): Promise<FoundToken> {
  await readResources(scope)
  const given = readBodyParameters(raw, request.headers.get('content-type'))
  const credentials = readCredentials(request.headers.get('authorization'), given)
  const hash = await presentedHash(scope, given.token ?? '')
  const { application, found, service: live } = await findClientAndToken(scope, credentials.clientId, hash)
  const known = await clientOf(scope, credentials.clientId, application)
  const client = await authenticate(scope, known, credentials)
  if (!given.token) throw oauthError('invalid_request', 'token is required')
  const type = found?.token.refreshToken === hash ? 'refresh_token' : 'access_token'
  const ofService = live && scopesNow(scope, live.token, knownClient(scope, live.token.clientId, live.application))
  const service = live && ofService ? { token: live.token, scopes: ofService } : null
  if (!found) return { client, token: null, user: null, service, ended: false, type }
  const { token, user } = found
  const ended = hasEnded(token.clientId, knownClient(scope, token.clientId, found.application))
  return { client, token, user, service: null, ended, type }
}
