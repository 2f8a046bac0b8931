import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { askConsent } from '../consent/consent.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { isPublic } from '../model/clients/client.ts'
import { isLoopback } from '../model/clients/redirect-uris.ts'
import { issueAuthorizationCode } from '../model/grants/authorization-code.ts'
import { consentScopes, type RequestedCode, requestedCode } from '../model/grants/grant.ts'
import { warmIdTokenKey } from '../model/grants/id-token.ts'
import { words } from '../model/protocol/parameters.ts'
import { pageUrl } from '../model/protocol/urls.ts'
import { type AuthorizationRequest, refusal, unknownRequest } from '../model/requests/authorization-request.ts'
import { answerTarget } from '../model/requests/client-answer.ts'
import { forgetPushed, pushedUse } from '../model/requests/pushed-request.ts'
import { clearLoginPrompt, fitsLoginPrompt, setLoginPrompt } from './login-prompt.ts'
import { errorPageUrl, type ProvenRequest, refuse, respondToClient } from './respond.ts'
import { signInNeed } from './sign-in-need.ts'

/**
 * The next step before the client gets a code (OpenID Connect Core, section 3.1.2.3): sign in, authenticate again,
 * agree. With `prompt=none` the client gets an error instead. @param url path and query of the request
 */
export async function interact(scope: Scope, proven: ProvenRequest, url: string): Promise<string | Response> {
  const { request, consent, caller } = proven
  const prompts = words(request.given.prompt)
  const silent = prompts.includes('none')
  const need = caller ? await signInNeed(scope, request, caller, prompts, url) : 'sign-in'
  if (need === 'unmet' && !silent) {
    const unmet = refusal('unmet_authentication_requirements', 'the user cannot authenticate in the requested way')
    return refuse(scope, proven, unmet, true)
  }
  if (!caller || need !== 'nothing') {
    const required = refusal('login_required', 'authentication of the end user is required')
    if (silent || need === 'foreign') return refuse(scope, proven, required, true)
    return askToAuthenticate(scope, proven, url, need === 'step-up' ? 'step-up' : 'sign-in')
  }
  clearLoginPrompt(scope)
  // The token request does not wait for the key.
  scope.after(() => warmIdTokenKey(scope, request.client))
  const requested = requestedCode(request)
  if (mustAgree(request, consent, requested, prompts)) {
    if (silent) return refuse(scope, proven, refusal('consent_required', 'consent of the end user is required'), true)
    const { client, given } = request
    const target = answerTarget(client, request.redirectUri, given)
    return askConsent(scope, { requested, caller, client, target, url, pushed: proven.pushed })
  }
  return giveCode(scope, proven, requested, caller)
}

/** The response with a code. A pushed request leads to one code: a second visit shows a page. */
async function giveCode(scope: Scope, { request, pushed }: ProvenRequest, requested: RequestedCode, caller: Caller) {
  const code = await issueAuthorizationCode(scope, requested, caller)
  if (pushed) {
    const work = unitOfWork(scope, () => new UsedBefore())
    work.use(pushedUse(pushed))
    try {
      await work.commit()
    } catch (thrown) {
      if (thrown instanceof UsedBefore) return errorPageUrl(scope, unknownRequest)
      throw thrown
    }
    forgetPushed(scope, pushed)
  }
  return respondToClient(scope, request, { code })
}

/** A pushed request that has led to a code. */
class UsedBefore extends Error {}

/** The login page gets the query, and a cookie leads back to the request; a step-up returns to `callbackURL`. */
async function askToAuthenticate(
  scope: Scope,
  proven: ProvenRequest,
  url: string,
  how: 'sign-in' | 'step-up',
): Promise<string> {
  if (!fitsLoginPrompt(url)) {
    return refuse(scope, proven, refusal('invalid_request', 'the request is too long; push it instead'))
  }
  setLoginPrompt(scope, url)
  const { loginPage, stepUpPage } = identityProviderOptions.of(scope)
  if (how === 'step-up' && stepUpPage !== null) return pageUrl(stepUpPage, new URLSearchParams({ callbackURL: url }))
  return pageUrl(loginPage, new URLSearchParams(url.slice(url.indexOf('?') + 1)))
}

/**
 * The user has to agree unless a consent to this client and these scopes is stored, or the client is trusted; always to
 * authorization details. A public
 * client at a loopback address or a private scheme could be any program of that machine: a stored consent does not count
 * for it (RFC 8252, section 8.6).
 */
function mustAgree(
  { client, redirectUri }: AuthorizationRequest,
  consent: ProvenRequest['consent'],
  requested: RequestedCode,
  prompts: readonly string[],
): boolean {
  if (prompts.includes('select_account')) return true
  // Each bounded permission is a separate decision, which no stored consent contains (RFC 9396).
  if (requested.details) return true
  if (client.trusted) return false
  if (prompts.includes('consent') || !consent?.consentGiven) return true
  if (isPublic(client) && (isLoopback(redirectUri) || !redirectUri.startsWith('http'))) return true
  const allowed = words(consent.scopes)
  return !consentScopes(requested).every((scope) => allowed.includes(scope))
}
