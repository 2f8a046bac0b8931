import type { Scope } from '../../identity/scope.ts'
import { passFault } from '../../kit/errors.ts'
import { alphabets, randomString } from '../../kit/random.ts'
import { after, minutes } from '../../kit/time.ts'
import { reasonOf } from '../../platform/log.ts'
import { socialErrors as errors } from './social.errors.ts'

/**
 * The state of a sign-in that is under way at a provider (RFC 6749, section 10.12). It is a record that can be used
 * once, within ten minutes, at the callback it was made for, by the browser that carries the cookie.
 */
export interface AuthorizationState {
  provider: string
  /** The callback that it is for, below the base path. */
  callbackPath: string
  /** Where the person goes on success; a new one to newUserURL, and after an error to errorURL. */
  callbackURL: string
  newUserURL?: string
  errorURL?: string
  codeVerifier?: string
  nonce?: string
  /** What was asked for. */
  scopes: string[]
  requestSignUp?: boolean
  /** Whose account gets the identity; without it the identity signs in. */
  link?: { userId: string; email: string }
  /** The deployment where it was started and whose browser it is, where the callback comes to another one. */
  proxied?: { origin: string; browser: string }
}

const kind = 'oauth-state'
const proxiedKind = 'oauth-proxied-state'
const proxiedPrefix = 'proxied-'
const cookie = 'oauth_state'
const lifetime = minutes(10)
/** Callbacks from foreign browsers that a state survives. */
const maxAttempts = 10

/**
 * The secret that ties states to this browser. One cookie serves all tabs, so that several sign-ins can be under way.
 */
function markBrowser(scope: Scope): string {
  const mark = scope.cookies.getSigned(cookie) ?? randomString(32)
  scope.cookies.setSigned(cookie, mark, { maxAge: lifetime, atTopLevel: true })
  return mark
}

/** The mark of this browser; null when it has none, or one that is not ours. */
export const browserMark = (scope: Scope): string | null => scope.cookies.getSigned(cookie)

/** Whether the request carries the cookie at all: a POST from the provider's site does not. */
export const hasStateCookie = (scope: Scope): boolean => browserMark(scope) !== null

/**
 * Stores a state.
 * @param production the deployment that the provider sends the browser to, where it is not this one. The cookie does
 *   not reach it: there the state alone is asked for, and the mark is compared when the session is taken over here.
 * @returns the value of the `state` parameter
 * @throws UNABLE_TO_CREATE_VERIFICATION
 */
export async function putState(scope: Scope, state: AuthorizationState, production: string | null): Promise<string> {
  const browser = markBrowser(scope)
  const expiresAt = after(scope.now(), lifetime).getTime()
  const name = randomString(32, alphabets.urlSafe)
  try {
    if (production === null) {
      await scope.records.put(kind, name, { value: JSON.stringify(state), expiresAt, code: browser, maxAttempts })
      return name
    }
    const proxied = { origin: scope.settings.baseUrl, browser }
    await scope.records.put(proxiedKind, name, { value: JSON.stringify({ ...state, proxied }), expiresAt })
    return `${proxiedPrefix}${name}`
  } catch (thrown) {
    passFault(thrown)
    throw errors.UNABLE_TO_CREATE_VERIFICATION({ detail: reasonOf(thrown) })
  }
}

/**
 * Uses a state: one of any number of calls gets it, and only from the browser that it was made for. One of another
 * deployment comes with `proxied`, and may end in nothing but a handover to there.
 */
export async function takeState(scope: Scope, name: string): Promise<AuthorizationState | null> {
  const isProxied = name.startsWith(proxiedPrefix)
  const browser = browserMark(scope)
  if (!isProxied && browser === null) return null
  const taken = isProxied
    ? await scope.records.take(proxiedKind, name.slice(proxiedPrefix.length))
    : await scope.records.take(kind, name, { code: browser! })
  return taken.kind === 'taken' ? (JSON.parse(taken.value) as AuthorizationState) : null
}
