import { welcomeTarget } from '../../http/answer-sign-in.ts'
import type { IssuedSession } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { signInOutcome } from '../../identity/sign-in/outcome.ts'
import { readLoginPrompt } from './authorize/login-prompt.ts'

/** After any sign-in the browser returns to the authorization request that waits in it, and every check runs again. */
export function resumeAuthorization(scope: Scope, { user, proven, inCookies }: IssuedSession): void {
  if (!inCookies || proven === 'session' || proven === 'delegated') return
  const waiting = readLoginPrompt(scope)
  if (waiting) signInOutcome(scope).continueAt = welcomeTarget(scope, user, waiting.url)
}
