import { isOwnSession } from '../../../identity/caller.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import type { Client } from '../clients/client.ts'
import { selectClient, selectConsent } from '../clients/clients.store.ts'
import { clientOf, findClient, longestClientId } from '../clients/find-client.ts'
import { isRegisteredRedirectUri } from '../clients/redirect-uris.ts'
import type { OAuthApplication, OAuthConsent } from '../identity-provider.table.ts'
import { endpointUrl } from '../issuer.ts'
import { isPushed, readPushed } from '../par/par.ts'
import { readParameters } from '../parameters.ts'
import { errorPage, type ProvenRequest, refuse } from './answer.ts'
import { authorizeErrors } from './authorize.errors.ts'
import { checks } from './checks.ts'
import { interact } from './interact.ts'
import type { Check, Refusal } from './request.ts'
import { type AuthorizationEndpoint, rulesOf } from './rules.ts'

/**
 * Judges an authorization request, and takes it one step on: to the login page, to the consent page, or back to its
 * client with a code or an error.
 * @returns where the browser goes, or the page that it is shown
 * @throws INVALID_REDIRECT_URI; before the redirect URI is proven nothing goes back to the client
 */
export async function authorize(
  scope: Scope,
  search: string,
  endpoint: AuthorizationEndpoint,
): Promise<string | Response> {
  const proven = await prove(scope, new URLSearchParams(search), endpoint)
  if ('error' in proven) return errorPage(scope, proven)
  const { request } = proven
  for (const check of Object.values<Check>(checks)) {
    const refused = check(request)
    if (refused) return refuse(scope, request, refused)
  }
  return interact(scope, proven, `${endpointUrl(scope, endpoint.path).slice(scope.settings.baseUrl.length)}?${search}`)
}

/** Who asks, for whom, and whether that client may be answered at the redirect URI. */
async function prove(
  scope: Scope,
  search: URLSearchParams,
  endpoint: AuthorizationEndpoint,
): Promise<ProvenRequest | Refusal> {
  const outer = readParameters(search)
  const { client_id: clientId } = outer.given
  if (!clientId || outer.repeated.includes('client_id')) return unknownClient
  const pushed = isPushed(outer.given.request_uri) ? await readPushed(scope, outer.given.request_uri, clientId) : null
  if (isPushed(outer.given.request_uri) && pushed === null) return unknownRequest
  const { given, repeated } = pushed ? { given: pushed, repeated: [] } : outer
  const { client, caller, consent } = await findParties(scope, clientId)
  if (!client) return unknownClient
  if (client.disabled) return { error: 'client_disabled', description: 'client is disabled', page: true }
  const redirectUri = given.redirect_uri
  if (!redirectUri || repeated.includes('redirect_uri') || !isRegisteredRedirectUri(client, redirectUri)) {
    throw authorizeErrors.INVALID_REDIRECT_URI()
  }
  const rules = rulesOf(scope, endpoint.resources)
  return { request: { given, repeated, client, redirectUri, rules, pushed: pushed !== null }, consent, caller }
}

const unknownClient: Refusal = { error: 'invalid_client', description: 'client not found', page: true }

const unknownRequest: Refusal = { error: 'invalid_request_uri', description: 'request not found', page: true }

/**
 * The client, the person at this browser, and what they have allowed it: one round trip. An API key, or an
 * administrator who acts as somebody else, can agree to nothing.
 */
async function findParties(
  scope: Scope,
  clientId: string,
): Promise<{ client: Client | null; caller: Caller | null; consent: OAuthConsent | null }> {
  if (clientId.length > longestClientId) return { client: null, caller: null, consent: null }
  const found = await scope.callerWith((own) => [
    selectClient(scope.db, clientId),
    selectConsent(scope.db, clientId, own.userId),
  ])
  if (!found) return { client: await findClient(scope, clientId), caller: null, consent: null }
  const [rows, consents] = found.results as [OAuthApplication[], OAuthConsent[]]
  const caller = isOwnSession(found.caller) ? found.caller : null
  return { client: await clientOf(scope, clientId, rows[0]), caller, consent: caller && (consents[0] ?? null) }
}
