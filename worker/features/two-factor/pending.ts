import type { Challenge, SignInAttempt, SignInMethod } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { setForgetful } from '../../identity/sessions/session-cookies.ts'
import { randomString } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import { twoFactorOptions } from './two-factor.config.ts'

/**
 * A sign-in that waits for its second factor: a one-time record that a cookie names. Neither opens anything; the
 * record dies with its time, with the second factor, or when the user's security version moves.
 */
export interface Pending {
  id: string
  userId: string
  rememberMe: boolean
  method: SignInMethod
  securityVersion: number
  expiresAt: Date
}

const cookie = 'two_factor'
const kind = 'two-factor'

/** Asks for the second factor instead of writing a session. */
export async function beginChallenge(scope: Scope, { user, method, rememberMe }: SignInAttempt): Promise<Challenge> {
  const { cookieMaxAge } = twoFactorOptions.of(scope)
  const id = `2fa-${randomString(20)}`
  await scope.records.put(kind, id, {
    value: JSON.stringify({ userId: user.id, rememberMe, method, securityVersion: user.securityVersion }),
    expiresAt: after(scope.now(), cookieMaxAge).getTime(),
  })
  scope.cookies.setSigned(cookie, id, { maxAge: cookieMaxAge })
  if (!rememberMe) setForgetful(scope)
  return { kind: 'two-factor', answer: { twoFactorRedirect: true } }
}

/** The sign-in that this browser's cookie names, while it waits. */
export async function readPending(scope: Scope): Promise<Pending | null> {
  const id = scope.cookies.getSigned(cookie)
  if (!id) return null
  const peeked = await scope.records.peek(kind, id)
  if (peeked.kind !== 'there') return null
  return { id, expiresAt: new Date(peeked.expiresAt), ...JSON.parse(peeked.value) }
}

/** Ends the wait. @returns whether this call was the one that ended it */
export async function takePending(scope: Scope, { id }: Pending): Promise<boolean> {
  const taken = await scope.records.take(kind, id)
  return taken.kind === 'taken'
}

/** The browser has no sign-in that waits any more. */
export function clearPending(scope: Scope): void {
  if (scope.cookies.get(cookie) !== undefined) scope.cookies.clear(cookie)
}
