import { errorUrl } from '../../../http/error-url.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import type { OAuthConsent } from '../model/grants/grants.table.ts'
import type { AuthorizationRequest, RequestRefusal } from '../model/requests/authorization-request.ts'
import { answerClient, answerTarget } from '../model/requests/client-answer.ts'
import type { PushedRequest } from '../model/requests/pushed-request.ts'
import { clearLoginPrompt } from './login-prompt.ts'

/** A request with a proven client and redirect URI, and the caller. */
export interface ProvenRequest {
  request: AuthorizationRequest
  consent: OAuthConsent | null
  caller: Caller | null
  /** Null unless the client pushed the request. */
  pushed: PushedRequest | null
  /** Whether a signed object contains the request (RFC 9101). */
  signed?: boolean
  /** Why the request could not be read. Then the request has the parameters of the query. */
  unreadable?: RequestRefusal
}

/**
 * Whether an error may redirect to the client immediately: the client is of the configuration, the user has registered it, or has
 * consented to it. An attacker could register any other client, so a page of this service precedes a redirect to it (RFC
 * 9700, section 4.11.2).
 */
export const isKnown = ({ request: { client }, consent, caller }: ProvenRequest): boolean =>
  !client.selfRegistered ||
  consent?.consentGiven === true ||
  (client.userId !== null && client.userId === caller?.user.id)

/**
 * The error, for the client (RFC 6749, section 4.1.2.1, with `iss` of RFC 9207) or for the user.
 * @param mayRedirect whether the client gets it although the user does not know the client: the user has just authenticated for this
 *   request, and so has seen a page of this service, or a valid request with `prompt=none` excludes pages
 */
export async function refuse(
  scope: Scope,
  proven: ProvenRequest,
  refused: RequestRefusal,
  mayRedirect = false,
): Promise<string> {
  clearLoginPrompt(scope)
  if (refused.page || !(mayRedirect || isKnown(proven))) return errorPageUrl(scope, refused)
  return respondToClient(scope, proven.request, { error: refused.error, error_description: refused.description })
}

/** The page that shows an error to the user; a product may configure its own. */
export const errorPageUrl = (scope: Scope, { error, description }: RequestRefusal): string =>
  errorUrl(scope, { error, error_description: description })

/** The response to the client of a request. */
export const respondToClient = (
  scope: Scope,
  { client, redirectUri, given }: AuthorizationRequest,
  parameters: Readonly<Record<string, string>>,
): Promise<string> => answerClient(scope, answerTarget(client, redirectUri, given), parameters)
