import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { sha256 } from '../../../kit/hash.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import { type Client, isPublic } from '../clients/client.ts'
import { clientOf, hasEnded, knownClient } from '../clients/find-client.ts'
import { oauthError } from '../identity-provider.errors.ts'
import type { OAuthAccessToken } from '../identity-provider.table.ts'
import { issuerOf } from '../issuer.ts'
import { readBodyParameters, words } from '../parameters.ts'
import { normalResource } from '../resources.ts'
import { subjectOf } from '../token/claims.ts'
import { findClientAndToken } from '../token/tokens.store.ts'

export interface FoundToken {
  client: Client
  token: OAuthAccessToken | null
  user: User | null
  /** Whether the client that the token was given to is disabled, or has gone. */
  ended: boolean
  /** Which of the pair's secrets was given. */
  type: 'access_token' | 'refresh_token'
}

/**
 * A client that has something to ask or tell about a token, and the token: RFC 7662, section 2.1, and RFC 7009,
 * section 2.1. The hint is not needed. One round trip.
 * @throws invalid_client, invalid_request
 */
export async function findForClient(scope: Scope, request: Request, raw: string): Promise<FoundToken> {
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

/** A resource server introspects tokens for itself: the resources that its registration names. */
const resourcesOf = ({ metadata }: Client): string[] => {
  const resources = metadata?.resources
  return Array.isArray(resources) ? resources.filter((one) => typeof one === 'string').map(normalResource) : []
}

/** Whether a client may know of a token: its own, or one for a resource server that it is. */
const concerns = (client: Client, { clientId, resource }: OAuthAccessToken): boolean =>
  clientId === client.clientId || (resource !== null && resourcesOf(client).includes(resource))

/** RFC 7662, section 2.2. Of a token that is not the client's business nothing is said but that it is not active. */
export async function introspect(scope: Scope, request: Request, raw: string) {
  const { client, token, user, ended, type } = await findForClient(scope, request, raw)
  if (isPublic(client)) throw oauthError('invalid_client', 'client_id and client_secret are required')
  if (!token || !user || ended || !concerns(client, token) || !isLive(token, type, scope.now()))
    return { active: false }
  const expiresAt = type === 'access_token' ? token.accessTokenExpiresAt : token.refreshTokenExpiresAt!
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return {
    active: true,
    scope: token.scopes,
    client_id: token.clientId,
    ...usernameFor(user, words(token.scopes)),
    token_type: token.keyThumbprint ? 'DPoP' : 'Bearer',
    exp: seconds(expiresAt),
    iat: seconds(token.createdAt),
    sub: subjectOf(scope, user.id, client),
    aud: token.resource ?? token.clientId,
    iss: issuerOf(scope),
    ...(token.keyThumbprint ? { cnf: { jkt: token.keyThumbprint } } : {}),
  }
}

/** What a person is called, as far as the token's scopes tell its client (OpenID Connect Core, section 5.4). */
function usernameFor({ username, email }: User, scopes: readonly string[]): { username?: string } {
  if (username && scopes.includes('profile')) return { username }
  return scopes.includes('email') ? { username: email } : {}
}

const isLive = (token: OAuthAccessToken, type: FoundToken['type'], now: Date): boolean =>
  type === 'access_token'
    ? token.accessTokenExpiresAt > now
    : token.refreshedAt === null && token.refreshTokenExpiresAt! > now
