import type { Scope } from '../../../identity/scope.ts'
import { base64url, fromBase64url } from '../../../kit/base64.ts'
import { ms } from '../../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'

/**
 * An authorization request that waits in this browser for somebody to sign in. It is a signed cookie; whoever signs
 * in there, in whatever way, is sent back to the request, which is judged anew.
 */
export interface LoginPrompt {
  /** When the login page was asked for, Unix ms. */
  at: number
  /** The path and query of the request. */
  url: string
}

const cookie = 'oidc_login_prompt'
/** Of one kind only: no other cookie's signed value begins like this. */
const mark = 'oidc:'
/** What fits into a cookie, encoded and signed. */
const longestUrl = 2700

export const fitsLoginPrompt = (url: string): boolean => url.length <= longestUrl

export function setLoginPrompt(scope: Scope, url: string): void {
  const prompt: LoginPrompt = { at: scope.now().getTime(), url }
  const { promptExpiresIn } = identityProviderOptions.of(scope)
  scope.cookies.setSigned(cookie, mark + base64url(JSON.stringify(prompt)), { maxAge: promptExpiresIn })
}

export function readLoginPrompt(scope: Scope): LoginPrompt | null {
  const value = scope.cookies.getSigned(cookie)
  if (!value?.startsWith(mark)) return null
  const prompt = JSON.parse(fromBase64url(value.slice(mark.length))) as LoginPrompt
  return prompt.at + ms(identityProviderOptions.of(scope).promptExpiresIn) > scope.now().getTime() ? prompt : null
}

/** The client of the request that waits; a pushed request names it beside its address, too. */
export function waitingClientId(scope: Scope): string | null {
  const waiting = readLoginPrompt(scope)
  return waiting && new URLSearchParams(waiting.url.slice(waiting.url.indexOf('?') + 1)).get('client_id')
}

export function clearLoginPrompt(scope: Scope): void {
  if (scope.cookies.get(cookie) !== undefined) scope.cookies.clear(cookie)
}
