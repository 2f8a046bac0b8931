import type { Caller, Scope } from '../../../identity/scope.ts'
import { withQuery } from '../../../kit/urls.ts'
import type { OAuthConsent } from '../identity-provider.table.ts'
import { endpointUrl, issuerOf } from '../issuer.ts'
import { clearLoginPrompt } from './login-prompt.ts'
import type { AuthorizationRequest, Refusal } from './request.ts'

/** A request that may be answered to its client, and who asks. */
export interface ProvenRequest {
  request: AuthorizationRequest
  consent: OAuthConsent | null
  caller: Caller | null
}

/** The refusal, to the client (RFC 6749, section 4.1.2.1, with `iss` of RFC 9207), or to the person. */
export function refuse(scope: Scope, request: AuthorizationRequest, refused: Refusal): string {
  clearLoginPrompt(scope)
  return refused.page
    ? errorPage(scope, refused)
    : answerClient(scope, request, { error: refused.error, error_description: refused.description })
}

/** The page that tells the person. */
export const errorPage = (scope: Scope, { error, description }: Refusal): string =>
  withQuery(endpointUrl(scope, '/error'), { error, error_description: description })

/** Back to the client, with its state. */
export const answerClient = (
  scope: Scope,
  { redirectUri, given: { state } }: { redirectUri: string; given: { state?: string | undefined } },
  parameters: Record<string, string>,
): string => withQuery(redirectUri, { ...parameters, state, iss: issuerOf(scope) })
