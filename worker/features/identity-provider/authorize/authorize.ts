import { noteError } from '../../../http/answer-error.ts'
import { isOwnSession } from '../../../identity/caller.ts'
import type { Scope } from '../../../identity/scope.ts'
import { AppError } from '../../../kit/errors.ts'
import { isRegisteredRedirectUri } from '../clients/redirect-uris.ts'
import { findParties, type Parties } from '../grants/find-parties.ts'
import { identityProviderErrors } from '../identity-provider.errors.ts'
import { readParameters } from '../protocol/parameters.ts'
import { endpointUrl } from '../protocol/urls.ts'
import {
  type AuthorizationEndpoint,
  type Refusal,
  refusal,
  rulesOf,
  unknownRequest,
} from '../requests/authorization-request.ts'
import { isPushed, readPushed } from '../requests/pushed-request.ts'
import { type Check, checks } from '../requests/request-checks.ts'
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
  const url = `${endpointUrl(scope, endpoint.path).slice(scope.settings.baseUrl.length)}?${search}`
  try {
    return await interact(scope, proven, url)
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
  const { given, repeated } = read ? { given: read.given, repeated: [] } : outer
  const { client, caller, consent } = await ownParties(scope, clientId)
  if (!client) return unknownClient
  if (client.disabled) return { error: 'client_disabled', description: 'client is disabled', page: true }
  const redirectUri = given.redirect_uri
  if (!redirectUri || repeated.includes('redirect_uri') || !isRegisteredRedirectUri(client, redirectUri)) {
    throw identityProviderErrors.INVALID_REDIRECT_URI()
  }
  const rules = rulesOf(scope, endpoint.resources)
  const request = { given, repeated, client, redirectUri, rules, pushed: read !== null }
  return { request, consent, caller, pushed: read?.pushed ?? null }
}

const unknownClient: Refusal = { error: 'invalid_client', description: 'client not found', page: true }

/** An API key, or an administrator who impersonates a user, cannot consent: then the request has no caller. */
async function ownParties(scope: Scope, clientId: string): Promise<Parties> {
  const parties = await findParties(scope, clientId)
  return parties.caller && isOwnSession(parties.caller) ? parties : { ...parties, caller: null, consent: null }
}
