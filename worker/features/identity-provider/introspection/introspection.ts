import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { type Client, isPublic } from '../model/clients/client.ts'
import { actClaimOf } from '../model/grants/chain.ts'
import { type FoundToken, findTokenForClient } from '../model/grants/find-token.ts'
import type { OAuthAccessToken } from '../model/grants/grants.table.ts'
import { subjectOf } from '../model/grants/subjects.ts'
import { acrOf } from '../model/protocol/authentication.ts'
import { detailsAt } from '../model/protocol/authorization-details.ts'
import { introspectorsOf, isDeleted } from '../model/protocol/known-resources.ts'
import { words } from '../model/protocol/parameters.ts'
import { scopesAt } from '../model/protocol/resources.ts'
import { issuerOf, normalResource } from '../model/protocol/urls.ts'

/** The resources that a client serves, by the configuration or by an administrator; never by its own registration. */
function resourcesOf(scope: Scope, { clientId, resources }: Client): string[] {
  const { resourceServers } = identityProviderOptions.of(scope)
  const configured = Object.hasOwn(resourceServers, clientId) ? resourceServers[clientId]! : []
  return [...configured, ...resources].map(normalResource)
}

/** A client may introspect its own tokens, and those for a resource that it serves. */
const mayIntrospect = (
  scope: Scope,
  client: Client,
  { clientId, resource }: Pick<OAuthAccessToken, 'clientId' | 'resource'>,
): boolean =>
  clientId === client.clientId ||
  (resource !== null &&
    (resourcesOf(scope, client).includes(resource) || introspectorsOf(scope, resource).includes(client.clientId)))

/** RFC 7662, section 2.2, with RFC 9470, section 6.2. A token that the client may not introspect is not active. */
export async function introspect(scope: Scope, request: Request, raw: string) {
  const { client, token, user, service, ended, type } = await findTokenForClient(scope, request, raw)
  if (isPublic(client)) throw oauthError('invalid_client', 'client_id and client_secret are required')
  if (isDeleted(scope, (token ?? service?.token)?.resource ?? null)) return { active: false }
  if (service) return mayIntrospect(scope, client, service.token) ? factsOfService(scope, service) : { active: false }
  if (!token || !user || ended || !mayIntrospect(scope, client, token) || !isLive(token, type, scope.now()))
    return { active: false }
  const expiresAt = type === 'access_token' ? token.accessTokenExpiresAt : token.refreshTokenExpiresAt!
  const scopes = scopesAt(scope, words(token.scopes), token.resource)
  const act = actClaimOf(token.chain)
  const details = detailsAt(scope, token.authorizationDetails, scopes, token.resource)
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: token.clientId,
    ...usernameFor(user, scopes),
    token_type: token.keyThumbprint ? 'DPoP' : 'Bearer',
    exp: seconds(expiresAt),
    iat: seconds(token.createdAt),
    sub: await subjectOf(scope, user.id, client),
    aud: token.resource ?? token.clientId,
    iss: issuerOf(scope),
    acr: acrOf({ amr: token.amr, isGuest: user.isAnonymous }),
    auth_time: seconds(token.authTime),
    ...(token.keyThumbprint ? { cnf: { jkt: token.keyThumbprint } } : {}),
    ...(act ? { act: { ...act } } : {}),
    ...(details.length > 0 ? { authorization_details: details } : {}),
  }
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** A token without a user: `sub` is the client (RFC 9068, section 2.2). */
function factsOfService(scope: Scope, { token, scopes }: NonNullable<FoundToken['service']>) {
  const { clientId, resource, keyThumbprint, expiresAt, createdAt } = token
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: clientId,
    token_type: keyThumbprint ? 'DPoP' : 'Bearer',
    exp: seconds(expiresAt),
    iat: seconds(createdAt),
    sub: clientId,
    aud: resource,
    iss: issuerOf(scope),
    ...(keyThumbprint ? { cnf: { jkt: keyThumbprint } } : {}),
  }
}

/** `username`, if the token's scopes permit it (OpenID Connect Core, section 5.4). */
function usernameFor({ username, email }: User, scopes: readonly string[]): { username?: string } {
  if (username && scopes.includes('profile')) return { username }
  return scopes.includes('email') ? { username: email } : {}
}

const isLive = (token: OAuthAccessToken, type: FoundToken['type'], now: Date): boolean =>
  type === 'access_token'
    ? token.accessTokenExpiresAt > now
    : token.refreshedAt === null && token.refreshTokenExpiresAt! > now
