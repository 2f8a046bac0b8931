import type { Scope } from '../../../identity/scope.ts'
import { base64url, fromBase64url } from '../../../kit/base64.ts'
import { ms } from '../../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'

/** An authorization request that waits for a sign-in, in a signed cookie. Every check runs again after the sign-in. */
export interface LoginPrompt {
  /** When the browser was sent to the login page, Unix ms. */
  at: number
  /** The path and query of the request. */
  url: string
}

const cookie = 'oidc_login_prompt'
/** Distinguishes it from the signed values of other cookies. */
const mark = 'oidc:'
/** The encoded and signed URL must fit into a cookie. */
const maxUrlLength = 2700

export const fitsLoginPrompt = (url: string): boolean => url.length <= maxUrlLength

export function setLoginPrompt(scope: Scope, url: string): void {
  const prompt: LoginPrompt = { at: scope.now().getTime(), url }
  const { promptExpiresIn } = identityProviderOptions.of(scope)
  scope.response.cookies.setSigned(cookie, mark + base64url(JSON.stringify(prompt)), { maxAge: promptExpiresIn })
}

export function readLoginPrompt(scope: Scope): LoginPrompt | null {
  const value = scope.response.cookies.getSigned(cookie)
  if (!value?.startsWith(mark)) return null
  const prompt = JSON.parse(fromBase64url(value.slice(mark.length))) as LoginPrompt
  return prompt.at + ms(identityProviderOptions.of(scope).promptExpiresIn) > scope.now().getTime() ? prompt : null
}

/** The client of the waiting request; a pushed request has the parameter `client_id`, too. */
export function waitingClientId(scope: Scope): string | null {
  const waiting = readLoginPrompt(scope)
  return waiting && new URLSearchParams(waiting.url.slice(waiting.url.indexOf('?') + 1)).get('client_id')
}

export function clearLoginPrompt(scope: Scope): void {
  if (scope.response.cookies.get(cookie) !== undefined) scope.response.cookies.clear(cookie)
}
