import type { Challenge, SessionMethod, SignInAttempt, SignInMethod } from '../../identity/lifecycle.ts'
import type { RiskDecision } from '../../identity/model/risk.ts'
import type { Scope } from '../../identity/scope.ts'
import { setForgetful } from '../../identity/sessions/session-cookies.ts'
import { isUnused } from '../../identity/used-records.ts'
import type { SingleUse } from '../../identity/work.ts'
import { base64url, fromBase64url } from '../../kit/base64.ts'
import { randomString } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { Condition } from '../../platform/statements.ts'
import { twoFactorOptions } from './two-factor.config.ts'

/**
 * A sign-in that waits for its second factor. The server stores no state for it: a signed cookie contains the user and
 * the properties of the session. The cookie alone gives no access. It becomes invalid when it expires, when the user's
 * security version changes, or when a row records its use.
 */
export interface Pending {
  id: string
  userId: string
  /** The user's security version at the time of the first factor. */
  securityVersion: number
  method: SignInMethod
  /** The `method` of the new session. */
  shownMethod: SessionMethod
  rememberMe: boolean
  /** The session at the identity provider; absent for other ways in. */
  upstream?: NonNullable<SignInAttempt['upstream']>
  /** The assessment of the first factor, if it requires a factor also of users without an enrolled one. */
  risk?: RiskDecision
  /** A passkey completes it, and without one a code by mail unless the rule of an organization requires more. */
  passkey?: { orCode: boolean }
  /** Unix time in milliseconds. */
  expiresAt: number
}

const cookie = 'two_factor'
const kind = 'two-factor'

/** The prefix of the cookie's value, which distinguishes it from all other signed values. */
const mark = '2fa-'

/** Requests the second factor instead of writing a session. */
export function beginChallenge(
  scope: Scope,
  { user, method, shownMethod, rememberMe, upstream, risk, ...attempt }: SignInAttempt,
  mayGetCode: boolean,
): Challenge {
  const { cookieMaxAge } = twoFactorOptions.of(scope)
  const pending: Pending = {
    id: randomString(20),
    userId: user.id,
    securityVersion: user.securityVersion,
    method,
    shownMethod,
    rememberMe,
    ...(upstream ? { upstream } : {}),
    ...(risk && risk.level !== 'nothing' ? { risk } : {}),
    ...(attempt.passkeyIsSecondFactor
      ? { passkey: { orCode: mayGetCode && attempt.requiresSecondFactor !== 'each-time' } }
      : {}),
    expiresAt: after(scope.now(), cookieMaxAge).getTime(),
  }
  scope.response.cookies.setSigned(
    cookie,
    mark + base64url(JSON.stringify(pending)),
    rememberMe ? { maxAge: cookieMaxAge } : {},
  )
  if (!rememberMe) setForgetful(scope)
  return { kind: 'two-factor', answer: { twoFactorRedirect: true }, lifetime: cookieMaxAge }
}

/** The pending sign-in of the browser's cookie. The function does not check whether it was used. */
export function readPending(scope: Scope): Pending | null {
  const value = scope.response.cookies.getSigned(cookie)
  if (!value?.startsWith(mark)) return null
  try {
    const pending = JSON.parse(fromBase64url(value.slice(mark.length))) as Pending
    return pending.expiresAt > scope.now().getTime() ? pending : null
  } catch {
    return null
  }
}

/** Whether the sign-in is from an unknown place. */
export const isFromNewPlace = ({ risk }: Pending): boolean => risk?.level === 'challenge'

/** Whether a mailed code is enough, also without a second factor that the user has set up. */
export const needsNoRecord = (pending: Pending): boolean => pending.passkey?.orCode ?? isFromNewPlace(pending)

/** Holds while the sign-in is pending. */
export const isWaiting = (scope: Scope, { id }: Pending): Condition => isUnused(scope, { kind, token: id })

/** The use of the pending sign-in: of parallel batches, one commits. */
export const pendingUse = ({ id, expiresAt }: Pending): SingleUse => ({
  kind,
  token: id,
  expiresAt: new Date(expiresAt),
})

/** Removes the pending sign-in from the browser. */
export function clearPending(scope: Scope): void {
  if (scope.response.cookies.get(cookie) !== undefined) scope.response.cookies.clear(cookie)
}
