import type { Scope } from '../../../identity/scope.ts'
import { passFault } from '../../../kit/errors.ts'
import { alphabets, randomString } from '../../../kit/random.ts'
import { after, minutes } from '../../../kit/time.ts'
import { reasonOf } from '../../../platform/log.ts'
import { socialErrors as errors } from './social.errors.ts'

/** The state of an authorization (RFC 6749, section 10.12): used once, within ten minutes, by one browser. */
export interface AuthorizationState {
  provider: string
  /** The callback, below the base path. */
  callbackPath: string
  /** The targets: after a success, for a new user, and after an error. */
  callbackURL: string
  newUserURL?: string
  errorURL?: string
  codeVerifier?: string
  nonce?: string
  /** The requested scopes. */
  scopes: string[]
  requestSignUp?: boolean
  /** The user to whom the identity is linked; without it the identity signs in. */
  link?: { userId: string; email: string }
  /** The session that authenticates again, and the start (Unix time in milliseconds). */
  stepUp?: { userId: string; sessionId: string; startedAt: number }
  /** A test of a connection, by a member or (null) by the holder of a set-up link: no session begins. */
  test?: { userId: string | null }
  /** The deployment and browser that started it, where another deployment handles the callback. */
  proxied?: { origin: string; browser: string }
}

const kind = 'oauth-state'
const proxiedKind = 'oauth-proxied-state'
const proxiedPrefix = 'proxied-'
const cookie = 'oauth_state'
const lifetime = minutes(10)
/** Attempts of browsers without the cookie. */
const maxAttempts = 10

/** The secret that binds states to this browser. All tabs share one cookie, so that several sign-ins can be pending. */
function markBrowser(scope: Scope): string {
  const mark = scope.response.cookies.getSigned(cookie) ?? randomString(32)
  scope.response.cookies.setSigned(cookie, mark, { maxAge: lifetime, atTopLevel: true })
  return mark
}

/** The secret in this browser's cookie; null without a valid cookie. */
export const browserMark = (scope: Scope): string | null => scope.response.cookies.getSigned(cookie)

/**
 * Stores a state. @returns the value of the `state` parameter
 * @param production the deployment that handles the callback instead. It does not receive the cookie: it requires the
 *   state alone, and this deployment compares the secret when it takes the session over
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
 * Uses a state: of parallel calls one gets it, and only in the browser to which it is bound. A state with `proxied` belongs to
 * another deployment and may only end in a handover to it.
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
