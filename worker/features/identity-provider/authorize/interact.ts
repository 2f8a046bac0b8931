import type { Caller, Scope } from '../../../identity/scope.ts'
import { ms } from '../../../kit/time.ts'
import { isPublic } from '../clients/client.ts'
import { isLoopback } from '../clients/redirect-uris.ts'
import { askConsent } from '../consent/consent.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { pageUrl } from '../issuer.ts'
import { words } from '../parameters.ts'
import { normalResource } from '../resources.ts'
import { isHintedPerson, warmIdTokenKey } from '../token/id-token.ts'
import { answerClient, type ProvenRequest, refuse } from './answer.ts'
import { isS256, requestedScopes } from './checks.ts'
import { issueCode } from './code.ts'
import type { Granted } from './grant.ts'
import { clearLoginPrompt, fitsLoginPrompt, readLoginPrompt, setLoginPrompt } from './login-prompt.ts'
import { type AuthorizationRequest, refusal } from './request.ts'

/**
 * What has to happen between the person and us before a code is given (OpenID Connect Core, section 3.1.2.3): sign
 * in, sign in again, agree. With `prompt=none` it is told to the client instead.
 * @param url path and query of the request, to come back to
 * @returns where the browser goes, or the page that it is shown
 */
export async function interact(scope: Scope, proven: ProvenRequest, url: string): Promise<string | Response> {
  const { request, consent, caller } = proven
  const prompts = words(request.given.prompt)
  const silent = prompts.includes('none')
  const signIn = caller ? await judgeSignIn(scope, request, caller, prompts, url) : 'needed'
  if (!caller || signIn !== 'enough') {
    if (silent || signIn === 'foreign')
      return refuse(scope, request, refusal('login_required', 'the person has to sign in'))
    return askLogin(scope, request, url)
  }
  clearLoginPrompt(scope)
  // The token request comes soon, and should not have to wait for the key.
  scope.after(() => warmIdTokenKey(scope, request.client))
  const granted = grantOf(request)
  if (mustAgree(request, consent, granted, prompts)) {
    if (silent) return refuse(scope, request, refusal('consent_required', 'the person has to agree'))
    return askConsent(scope, { granted, caller, client: request.client, state: request.given.state, url })
  }
  return answerClient(scope, request, { code: await issueCode(scope, granted, caller) })
}

/**
 * `prompt=login` and `max_age`: whether the sign-in is young enough, and the hinted person's. Somebody else who has
 * signed in for this very request is `foreign`: asking again would ask for ever. A hint that nobody can read any more
 * asks for a sign-in, and no more than one.
 */
async function judgeSignIn(
  scope: Scope,
  { given, client }: AuthorizationRequest,
  { session, user }: Caller,
  prompts: readonly string[],
  url: string,
): Promise<'enough' | 'needed' | 'foreign'> {
  const waiting = readLoginPrompt(scope)
  const signedInSince = waiting?.url === url && session.createdAt.getTime() >= waiting.at
  if (given.id_token_hint) {
    const isTheirs = await isHintedPerson(scope, given.id_token_hint, client, user)
    if (isTheirs === false && signedInSince) return 'foreign'
    if (isTheirs !== true && !signedInSince) return 'needed'
  }
  if (signedInSince) return 'enough'
  if (prompts.includes('login')) return 'needed'
  const age = scope.now().getTime() - session.createdAt.getTime()
  return given.max_age === undefined || age <= ms(Number(given.max_age)) ? 'enough' : 'needed'
}

/** The login page gets the request's query; a cookie brings whoever signs in back to the request. */
function askLogin(scope: Scope, request: AuthorizationRequest, url: string): string {
  if (!fitsLoginPrompt(url)) {
    return refuse(scope, request, refusal('invalid_request', 'the request is too long; push it instead'))
  }
  setLoginPrompt(scope, url)
  return pageUrl(identityProviderOptions.of(scope).loginPage, new URLSearchParams(url.slice(url.indexOf('?') + 1)))
}

const grantOf = ({ given, client, redirectUri }: AuthorizationRequest): Granted => ({
  clientId: client.clientId,
  redirectUri,
  scopes: requestedScopes(given.scope),
  proof: proofOf(given.code_challenge, given.code_challenge_method),
  nonce: given.nonce ?? null,
  resource: given.resource === undefined ? null : normalResource(given.resource),
  keyThumbprint: given.dpop_jkt ?? '',
})

const proofOf = (challenge: string | undefined, method: string | undefined): string =>
  challenge === undefined ? '' : `${isS256(method) ? 'S256' : 'plain'}:${challenge}`

/**
 * Consent is asked unless it is on record for this client and these scopes, or the client is trusted. A public client
 * at a loopback address could be any program of that machine, and is never believed (RFC 8252, section 8.6).
 */
function mustAgree(
  { client, redirectUri }: AuthorizationRequest,
  consent: ProvenRequest['consent'],
  { scopes }: Granted,
  prompts: readonly string[],
): boolean {
  if (prompts.includes('select_account')) return true
  if (client.trusted) return false
  if (prompts.includes('consent') || !consent?.consentGiven) return true
  if (isPublic(client) && (isLoopback(redirectUri) || !redirectUri.startsWith('http'))) return true
  const allowed = words(consent.scopes)
  return !scopes.every((scope) => allowed.includes(scope))
}
