import type { Scope } from '../../../identity/scope.ts'
import { type OAuthErrorCode, oauthError } from '../identity-provider.errors.ts'
import { requireClient } from '../model/clients/authenticate.ts'
import { isRegisteredRedirectUri } from '../model/clients/redirect-uris.ts'
import { readResources } from '../model/protocol/known-resources.ts'
import { type Parameters, readBodyParameters, words } from '../model/protocol/parameters.ts'
import { requestRulesOf, withAcceptedScope } from '../model/requests/authorization-request.ts'
import { verifyProof } from '../model/requests/dpop.ts'
import { storePushed } from '../model/requests/pushed-request.ts'
import { checks, type RequestCheck } from '../model/requests/request-checks.ts'
import { readRequestObject } from '../model/requests/request-object.ts'

/** Pushed authorization requests (RFC 9126): authenticates the client and checks the request before a browser opens it. */
export async function push(scope: Scope, request: Request, raw: string) {
  await readResources(scope)
  const body = readBodyParameters(raw, request.headers.get('content-type'))
  if (body.request_uri) throw oauthError('invalid_request', 'request_uri must not be pushed')
  const client = await requireClient(scope, body, request.headers.get('authorization'))
  const { client_secret: _1, client_assertion: _2, client_assertion_type: _3, ...plain } = body
  // RFC 9126, section 3: the parameters of a signed request are in the object.
  const rest = plain.request ? await readRequestObject(scope, client, plain.request) : plain
  const key = await verifyProof(scope)
  if (key !== null && rest.dpop_jkt !== undefined && rest.dpop_jkt !== key) {
    throw oauthError('invalid_dpop_proof', 'dpop_jkt does not match the key of the proof')
  }
  const given: Parameters = { ...rest, client_id: client.clientId, ...(key ? { dpop_jkt: key } : {}) }
  const redirectUri = given.redirect_uri
  if (!redirectUri || !isRegisteredRedirectUri(client, redirectUri)) {
    throw oauthError('invalid_request', 'Invalid redirect URI')
  }
  // Which resources are known depends on the authorization endpoint that the browser opens, here only their form does.
  if (words(given.resource).some((one) => !URL.canParse(one) || one.includes('#'))) {
    throw oauthError('invalid_target', 'the resource must be an absolute URI without a fragment')
  }
  const rules = requestRulesOf(scope, [])
  const accepted = withAcceptedScope(given, rules)
  const { resource: _, ...others } = checks
  for (const check of Object.values<RequestCheck>(others)) {
    const refused = check({ given: accepted, repeated: [], client, redirectUri, rules, pushed: true })
    if (refused) throw oauthError(refused.error as OAuthErrorCode, refused.description, { status: 400 })
  }
  const { request_uri, expires_in } = await storePushed(scope, given)
  return { request_uri, expires_in }
}
