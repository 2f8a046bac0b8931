import type { Scope } from '../../identity/scope.ts'
import { OAuthError } from '../../kit/errors.ts'
import { challenged } from '../identity-provider/identity-provider.errors.ts'
import { words } from '../identity-provider/parameters.ts'
import { normalResource } from '../identity-provider/resources.ts'
import { authenticateBearer, readPresented } from '../identity-provider/userinfo/userinfo.ts'
import { resourceMetadataUrl } from './metadata.ts'

interface Wanted {
  resource?: string | undefined
  scope?: string | undefined
}

/**
 * What a tool server learns of the token that it was given, when the token is for it and goes far enough.
 * @throws OAuthError: invalid_token, insufficient_scope
 */
async function readToken(scope: Scope, request: Request, { resource, scope: wanted }: Wanted) {
  const presented = readPresented(request.headers.get('authorization'))
  const { token } = await authenticateBearer(scope, presented)
  if (resource !== undefined && token.resource !== normalResource(resource)) {
    throw challenged('invalid_token', 'the token is for another resource')
  }
  const missing = words(wanted).filter((one) => !words(token.scopes).includes(one))
  if (missing.length > 0) throw challenged('insufficient_scope', 'the token does not go so far')
  return {
    accessToken: presented.accessToken,
    // It is the client's, and nobody else gets to see it.
    refreshToken: null,
    accessTokenExpiresAt: token.accessTokenExpiresAt,
    refreshTokenExpiresAt: token.refreshTokenExpiresAt,
    clientId: token.clientId,
    userId: token.userId,
    scopes: token.scopes,
    resource: token.resource,
    createdAt: token.createdAt,
    updatedAt: token.updatedAt,
    id: token.id,
  }
}

/** A tool server passes a refusal on as it is: JSON-RPC for the agent, and a challenge that says where tokens come from. */
export async function getMcpSession(scope: Scope, request: Request, wanted: Wanted) {
  try {
    return await readToken(scope, request, wanted)
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown
    return refusal(scope, thrown, wanted)
  }
}

function refusal(scope: Scope, { status, error, description }: OAuthError, wish: Wanted): Response {
  const { scope: wanted, resource } = wish
  const unauthenticated = error === 'invalid_request'
  const parameters = {
    ...(unauthenticated ? {} : { error, error_description: description }),
    // What the call needs, for the first request too, so that an agent asks for no more (MCP, scope selection).
    ...(error !== 'invalid_token' && wanted ? { scope: words(wanted).join(' ') } : {}),
    resource_metadata: resourceMetadataUrl(scope, resource),
  }
  // What the tool server asked with must not break the header.
  const challenge = `Bearer ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value.replace(/[^ -~]|["\\]/g, '')}"`)
    .join(', ')}`
  const message = error === 'insufficient_scope' ? `Forbidden: ${description}` : 'Unauthorized: Authentication required'
  return Response.json(
    { jsonrpc: '2.0', error: { code: -32000, message, 'www-authenticate': challenge }, id: null },
    { status, headers: { 'www-authenticate': challenge, 'cache-control': 'no-store' } },
  )
}
