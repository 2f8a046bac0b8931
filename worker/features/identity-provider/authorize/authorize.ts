import { noteError } from '../../../http/answer-error.ts'
import { isOwnSession } from '../../../identity/caller.ts'
import type { Scope } from '../../../identity/scope.ts'
import { AppError, OAuthError } from '../../../kit/errors.ts'
import type { Client } from '../clients/client.ts'
import { isRegisteredRedirectUri } from '../clients/redirect-uris.ts'
import { findParties, type Parties } from '../grants/find-parties.ts'
import { identityProviderErrors } from '../identity-provider.errors.ts'
import { openTo } from '../protocol/organization-resources.ts'
import { type Parameters, readParameters, words } from '../protocol/parameters.ts'
import { resourceList } from '../protocol/resources.ts'
import { endpointUrl } from '../protocol/urls.ts'
import {
  type AuthorizationEndpoint,
  type Refusal,
  refusal,
  rulesOf,
  unknownRequest,
} from '../requests/authorization-request.ts'
import { isPushed, readPushed, storePushed } from '../requests/pushed-request.ts'
import { type Check, checks } from '../requests/request-checks.ts'
import { canSign, readRequestObject } from '../requests/request-object.ts'
import { interact } from './interact.ts'
import { errorPage, mayRedirect, type ProvenRequest, refuse } from './respond.ts'

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
  if ('error' in proven) return errorPage(scope, proven)
  for (const check of Object.values<Check>(checks)) {
    const refused = check(proven.request)
    if (refused) return refuse(scope, proven, refused)
  }
  const { caller, request } = proven
  const resources = words(resourceList(request.given.resource) ?? undefined)
  if (caller && (await openTo(scope, caller.user.id, resources)).length < resources.length) {
    return refuse(scope, proven, refusal('access_denied', 'the user is no member of the organization of the resource'))
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
    if (thrown instanceof AppError || !mayRedirect(proven)) throw thrown
    noteError(thrown, scope.log)
    return refuse(scope, proven, refusal('server_error', 'something went wrong'))
  }
}

/** Proves the client and its redirect URI, and finds the caller with their consent. */
async function prove(
  scope: Scope,
  search: URLSearchParams,
  endpoint: AuthorizationEndpoint,
): Promise<ProvenRequest | Refusal> {
  const outer = readParameters(search)
  const { client_id: clientId } = outer.given
  if (!clientId || outer.repeated.includes('client_id')) return unknownClient
  const read = isPushed(outer.given.request_uri) ? await readPushed(scope, outer.given.request_uri, clientId) : null
  if (isPushed(outer.given.request_uri) && read === null) return unknownRequest
  const { client, caller, consent } = await ownParties(scope, clientId)
  if (!client) return unknownClient
  if (client.disabled) return { error: 'client_disabled', description: 'client is disabled', page: true }
  const object = read === null && canSign(client) ? outer.given.request : undefined
  const signed = object === undefined ? null : await readSigned(scope, client, object)
  if (signed && 'error' in signed) return signed
  const { given, repeated } = read || signed ? { given: (read ?? signed)!.given, repeated: [] } : outer
  const redirectUri = given.redirect_uri
  if (!redirectUri || repeated.includes('redirect_uri') || !isRegisteredRedirectUri(client, redirectUri)) {
    throw identityProviderErrors.INVALID_REDIRECT_URI()
  }
  const rules = rulesOf(scope, endpoint.resources)
  const request = { given, repeated, client, redirectUri, rules, pushed: read !== null }
  return { request, consent, caller, pushed: read?.pushed ?? null, signed: signed !== null }
}

/** The redirect URI of an invalid object is not proven, so the user sees the error. */
const readSigned = (scope: Scope, client: Client, object: string): Promise<{ given: Parameters } | Refusal> =>
  readRequestObject(scope, client, object).then(
    (given) => ({ given }),
    (thrown) => {
      if (!(thrown instanceof OAuthError)) throw thrown
      return { error: 'invalid_request_object', description: thrown.description, page: true }
    },
  )

const unknownClient: Refusal = { error: 'invalid_client', description: 'client not found', page: true }

/** An API key, or an administrator who impersonates a user, cannot consent: then the request has no caller. */
async function ownParties(scope: Scope, clientId: string): Promise<Parties> {
  const parties = await findParties(scope, clientId)
  return parties.caller && isOwnSession(parties.caller) ? parties : { ...parties, caller: null, consent: null }
}
