import type { Challenge, SignInAttempt, SignInMethod } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { setForgetful } from '../../identity/sessions/session-cookies.ts'
import { isUnused, usedStatement } from '../../identity/verifications/used-records.ts'
import { base64url, fromBase64url } from '../../kit/base64.ts'
import { randomString } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import { twoFactorOptions } from './two-factor.config.ts'

/**
 * A sign-in that waits for its second factor. Nothing is stored for it: a signed cookie says whose it is, and what the
 * session is to be like. It opens nothing by itself, and ends with its time, with the user's security version, or with
 * the row that says it was used.
 */
export interface Pending {
  id: string
  userId: string
  /** The user's, when the first factor was given. */
  securityVersion: number
  method: SignInMethod
  rememberMe: boolean
  /** Unix time in milliseconds. */
  expiresAt: number
}

const cookie = 'two_factor'
const kind = 'two-factor'

/** Begins the cookie's value, so that no other value that we have signed can be taken for one. */
const mark = '2fa-'

/** Asks for the second factor instead of writing a session. */
export function beginChallenge(scope: Scope, { user, method, rememberMe }: SignInAttempt): Challenge {
  const { cookieMaxAge } = twoFactorOptions.of(scope)
  const pending: Pending = {
    id: randomString(20),
    userId: user.id,
    securityVersion: user.securityVersion,
    method,
    rememberMe,
    expiresAt: after(scope.now(), cookieMaxAge).getTime(),
  }
  scope.cookies.setSigned(cookie, mark + base64url(JSON.stringify(pending)), { maxAge: cookieMaxAge })
  if (!rememberMe) setForgetful(scope)
  return { kind: 'two-factor', answer: { twoFactorRedirect: true } }
}

/** The sign-in that waits in this browser, by what its cookie says; whether it was used is not known yet. */
export function readPending(scope: Scope): Pending | null {
  const value = scope.cookies.getSigned(cookie)
  if (!value?.startsWith(mark)) return null
  try {
    const pending = JSON.parse(fromBase64url(value.slice(mark.length))) as Pending
    return pending.expiresAt > scope.now().getTime() ? pending : null
  } catch {
    return null
  }
}

/** For a query: that the sign-in still waits. */
export const isWaiting = (scope: Scope, { id }: Pending): Condition => isUnused(scope, kind, id)

/** For a batch: the wait is over. Of any number of parallel batches one commits, see `isUsedAlready`. */
export const endWait = (scope: Scope, { id, expiresAt }: Pending): Statement =>
  usedStatement(scope, kind, id, new Date(expiresAt))

/** The browser has no sign-in that waits any more. */
export function clearPending(scope: Scope): void {
  if (scope.cookies.get(cookie) !== undefined) scope.cookies.clear(cookie)
}
