import type { Scope } from '../../../identity/scope.ts'
import { randomString } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { checks } from '../authorize/checks.ts'
import type { Check } from '../authorize/request.ts'
import { type AuthorizationEndpoint, rulesOf } from '../authorize/rules.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import { findClient } from '../clients/find-client.ts'
import { isRegisteredRedirectUri } from '../clients/redirect-uris.ts'
import { verifyProof } from '../dpop/dpop.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { type OAuthErrorCode, oauthError } from '../identity-provider.errors.ts'
import { type Parameters, readBodyParameters } from '../parameters.ts'

const prefix = 'urn:ietf:params:oauth:request_uri:'
const kind = 'pushed-request'

/** Whether a request_uri is one of ours (RFC 9126, section 2.2). */
export const isPushed = (uri: string | undefined): uri is string => uri?.startsWith(prefix) === true

/** The request behind a request_uri, for the client that pushed it; null when there is none, or no more. */
export async function readPushed(scope: Scope, uri: string, clientId: string): Promise<Parameters | null> {
  // Only looked at: a page that is loaded again asks again, and the code is what can be used once.
  const peeked = await scope.records.peek(kind, uri.slice(prefix.length))
  if (peeked.kind !== 'there') return null
  const given = JSON.parse(peeked.value) as Parameters
  return given.client_id === clientId ? given : null
}

/** Pushed authorization requests (RFC 9126): the client is proven, and the request checked, before any browser comes. */
export async function push(scope: Scope, request: Request, raw: string, endpoint: AuthorizationEndpoint) {
  const body = readBodyParameters(raw, request.headers.get('content-type'))
  if (body.request_uri) throw oauthError('invalid_request', 'request_uri must not be pushed')
  const credentials = readCredentials(request.headers.get('authorization'), body)
  const client = await authenticate(scope, await findClient(scope, credentials.clientId), credentials)
  const { client_secret: _, client_assertion: __, client_assertion_type: ___, ...rest } = body
  const key = await verifyProof(scope)
  if (key !== null && rest.dpop_jkt !== undefined && rest.dpop_jkt !== key) {
    throw oauthError('invalid_dpop_proof', 'dpop_jkt is another key')
  }
  const given: Parameters = { ...rest, client_id: client.clientId, ...(key ? { dpop_jkt: key } : {}) }
  const redirectUri = given.redirect_uri
  if (!redirectUri || !isRegisteredRedirectUri(client, redirectUri)) {
    throw oauthError('invalid_request', 'Invalid redirect URI')
  }
  const rules = rulesOf(scope, endpoint.resources)
  // Which resources there are depends on where the browser will bring the request, and is judged there.
  const { resource: _later, ...judgedNow } = checks
  for (const check of Object.values<Check>(judgedNow)) {
    const refused = check({ given, repeated: [], client, redirectUri, rules, pushed: true })
    if (refused) throw oauthError(refused.error as OAuthErrorCode, refused.description, { status: 400 })
  }
  const id = randomString(43)
  // As long as login and consent may take, for they come back to it.
  const { promptExpiresIn: lifetime } = identityProviderOptions.of(scope)
  const expiresAt = after(scope.now(), lifetime).getTime()
  await scope.records.put(kind, id, { value: JSON.stringify(given), expiresAt })
  return { request_uri: prefix + id, expires_in: lifetime }
}
