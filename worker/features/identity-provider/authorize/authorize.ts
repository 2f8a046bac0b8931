import { noteError } from '../../../http/answer-error.ts'
import { isOwnSession } from '../../../identity/caller.ts'
import type { Scope } from '../../../identity/scope.ts'
import { endpointUrl } from '../../../identity/settings.ts'
import { AppError, OAuthError } from '../../../kit/errors.ts'
import { identityProviderErrors } from '../identity-provider.errors.ts'
import type { Client } from '../model/clients/client.ts'
import { isRegisteredRedirectUri } from '../model/clients/redirect-uris.ts'
import { findParties, type Parties } from '../model/grants/find-parties.ts'
import { openTo } from '../model/protocol/organization-resources.ts'
import { type Parameters, type ReadParameters, readParameters, words } from '../model/protocol/parameters.ts'
import { resourceList } from '../model/protocol/resources.ts'
import {
  type AuthorizationEndpoint,
  type RequestRefusal,
  refusal,
  requestRulesOf,
  unknownRequest,
  withAcceptedScope,
} from '../model/requests/authorization-request.ts'
import { isPushed, readPushed, storePushed } from '../model/requests/pushed-request.ts'
import { checks, type RequestCheck } from '../model/requests/request-checks.ts'
import { readRequestObject } from '../model/requests/request-object.ts'
import { interact } from './interact.ts'
import { errorPageUrl, isKnown, type ProvenRequest, refuse } from './respond.ts'

/**
 * Checks an authorization request, and leads to the login page, the consent page, or back to its client.
 * @throws INVALID_REDIRECT_URI: the client gets no response before its redirect URI is proven
 */
export async function authorize(
  scope: Scope,
  search: string,
  endpoint: AuthorizationEndpoint,
): Promise<string | Response> {
  const proven = await prove(scope, new URLSearchParams(search), endpoint)
  if ('error' in proven) return errorPageUrl(scope, proven)
  if (proven.unreadable) return refuse(scope, proven, proven.unreadable)
  for (const check of Object.values<RequestCheck>(checks)) {
    const refused = check(proven.request)
    if (refused) return refuse(scope, proven, refused)
  }
  const { caller, request } = proven
  const silent = words(request.given.prompt).includes('none')
  const resources = words(resourceList(request.given.resource) ?? undefined)
  if (caller && (await openTo(scope, caller.user.id, resources)).length < resources.length) {
    const denied = refusal('access_denied', 'the user is not a member of the organization of the resource')
    return refuse(scope, proven, denied, silent)
  }
  const path = endpointUrl(scope, endpoint.path).slice(scope.settings.baseUrl.length)
  try {
    // A signed request expires earlier than login and consent, and is too long for a cookie.
    const stored = proven.signed ? await storePushed(scope, { ...proven.request.given }) : null
    if (!stored) return await interact(scope, proven, `${path}?${search}`)
    const { request_uri, pushed } = stored
    const query = new URLSearchParams({ client_id: proven.request.client.clientId, request_uri })
    return await interact(scope, { ...proven, pushed }, `${path}?${query}`)
  } catch (thrown) {
    // RFC 6749, section 4.1.2.1: a redirect cannot pass a status of 500 or 503 to the client.
    if (thrown instanceof AppError || !(silent || isKnown(proven))) throw thrown
    noteError(thrown, scope.log)
    return refuse(scope, proven, refusal('server_error', 'internal error'), silent)
  }
}

/** Proves the client and its redirect URI, and finds the caller with their consent. */
async function prove(
  scope: Scope,
  search: URLSearchParams,
  endpoint: AuthorizationEndpoint,
): Promise<ProvenRequest | RequestRefusal> {
  const outer = readParameters(search)
  const { client_id: clientId } = outer.given
  if (!clientId || outer.repeated.includes('client_id')) return unknownClient
  const read = isPushed(outer.given.request_uri) ? await readPushed(scope, outer.given.request_uri, clientId) : null
  if (isPushed(outer.given.request_uri) && read === null) return unknownRequest
  const { client, caller, consent } = await ownParties(scope, clientId)
  if (!client) return unknownClient
  if (client.disabled) return { error: 'client_disabled', description: 'client is disabled', page: true }
  const { repeated } = outer
  const signed = read === null ? await readSigned(scope, client, outer) : null
  const unreadable = signed && 'error' in signed ? signed : undefined
  const given = read?.given ?? (signed && 'given' in signed ? signed.given : outer.given)
  const redirectUri = given.redirect_uri
  if (!redirectUri || repeated.includes('redirect_uri') || !isRegisteredRedirectUri(client, redirectUri)) {
    // That of an unreadable object is unknown.
    if (unreadable) return unreadable
    throw identityProviderErrors.INVALID_REDIRECT_URI()
  }
  const rules = requestRulesOf(scope, endpoint.resources)
  const accepted = withAcceptedScope(given, rules)
  const request = { given: accepted, repeated, client, redirectUri, rules, pushed: read !== null }
  return { request, consent, caller, pushed: read?.pushed ?? null, signed: signed !== null, unreadable }
}

/** The parameters of the request object (RFC 9101); null without one. */
async function readSigned(
  scope: Scope,
  client: Client,
  { given: { request: object, request_uri: uri } }: ReadParameters,
): Promise<{ given: Parameters } | RequestRefusal | null> {
  if (object === undefined) return null
  // Section 5.
  if (uri !== undefined) return refusal('invalid_request', 'request and request_uri exclude each other')
  try {
    return { given: await readRequestObject(scope, client, object) }
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown
    return refusal('invalid_request_object', thrown.description)
  }
}

const unknownClient: RequestRefusal = { error: 'invalid_client', description: 'client not found', page: true }

/** An API key, or an administrator who impersonates a user, cannot consent: then the request has no caller. */
async function ownParties(scope: Scope, clientId: string): Promise<Parties> {
  const parties = await findParties(scope, clientId)
  return parties.caller && isOwnSession(parties.caller) ? parties : { ...parties, caller: null, consent: null }
}
