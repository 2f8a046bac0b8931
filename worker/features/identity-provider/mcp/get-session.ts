import type { Scope } from '../../../identity/scope.ts'
import { OAuthError } from '../../../kit/errors.ts'
import { challenged } from '../identity-provider.errors.ts'
import { subjectOf } from '../model/grants/subjects.ts'
import { requireAuthentication } from '../model/protocol/authentication.ts'
import { readResources } from '../model/protocol/known-resources.ts'
import { words } from '../model/protocol/parameters.ts'
import { scopesAt } from '../model/protocol/resources.ts'
import { normalResource } from '../model/protocol/urls.ts'
import { authenticateBearer, readPresented } from '../userinfo/userinfo.ts'
import { resourceMetadataUrl } from './metadata.ts'

interface Wanted {
  resource?: string | undefined
  scope?: string | undefined
  acr_values?: string | undefined
  max_age?: number | undefined
}

/** What a tool server learns of a token for it. @throws OAuthError for an invalid, insufficient or too old one */
async function readToken(scope: Scope, request: Request, { resource, scope: wanted, ...authentication }: Wanted) {
  const presented = readPresented(request)
  await readResources(scope)
  const bearer = await authenticateBearer(scope, presented)
  const { token, user, client } = bearer
  if (resource !== undefined && token.resource !== normalResource(resource)) {
    throw challenged('invalid_token', 'the token is for another resource')
  }
  const scopes = scopesAt(scope, words(token.scopes), token.resource)
  const missing = words(wanted).filter((one) => !scopes.includes(one))
  if (missing.length > 0) throw challenged('insufficient_scope', 'the token lacks a required scope')
  const { acr_values: acrValues, max_age: maxAge } = authentication
  requireAuthentication(scope, bearer, { acrValues, maxAge })
  return {
    accessToken: presented.accessToken,
    // Only the client may see its refresh token.
    refreshToken: null,
    accessTokenExpiresAt: token.accessTokenExpiresAt,
    refreshTokenExpiresAt: token.refreshTokenExpiresAt,
    clientId: token.clientId,
    // The client's identifier of the user: a pairwise client has its own.
    userId: await subjectOf(scope, user.id, client),
    scopes: scopes.join(' '),
    resource: token.resource,
    createdAt: token.createdAt,
    updatedAt: token.updatedAt,
    id: token.id,
  }
}

/**
 * A tool server passes an error on unchanged: JSON-RPC for the agent, and a challenge with the address of the resource
 * metadata.
 */
export async function getMcpSession(scope: Scope, request: Request, wanted: Wanted) {
  try {
    return await readToken(scope, request, wanted)
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown
    return refusal(scope, thrown, wanted)
  }
}

/** The requirements of the next authorization (RFC 9470, section 3). */
const authenticationIn = ({ acr_values: acrValues, max_age: maxAge }: Wanted): Record<string, string> => ({
  ...(acrValues ? { acr_values: acrValues } : {}),
  ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
})

function refusal(scope: Scope, { status, error, description }: OAuthError, wish: Wanted): Response {
  const { scope: wanted, resource } = wish
  const unauthenticated = error === 'invalid_request' && status === 401
  const parameters = {
    ...(unauthenticated ? {} : { error, error_description: description }),
    // The scopes of the call, for the first request too, so that an agent requests only these (MCP, scope selection).
    ...(error !== 'invalid_token' && wanted ? { scope: words(wanted).join(' ') } : {}),
    ...(error === 'insufficient_user_authentication' ? authenticationIn(wish) : {}),
    resource_metadata: resourceMetadataUrl(scope, resource),
  }
  // Input of the tool server must not break the header.
  const challenge = `Bearer ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value.replace(/[^ -~]|["\\]/g, '')}"`)
    .join(', ')}`
  const message = error === 'insufficient_scope' ? `Forbidden: ${description}` : 'Unauthorized: Authentication required'
  return Response.json(
    { jsonrpc: '2.0', error: { code: -32000, message, 'www-authenticate': challenge }, id: null },
    { status, headers: { 'www-authenticate': challenge, 'cache-control': 'no-store' } },
  )
}
