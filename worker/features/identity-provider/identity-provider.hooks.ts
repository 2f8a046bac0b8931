import { askFirst } from '../../http/ask-first.ts'
import type { IssuedSession } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { readLoginPrompt } from './authorize/login-prompt.ts'
import { tellOfEndedSessions } from './logout/back-channel.ts'

/**
 * Somebody has signed in, in whatever way and with however many factors, in a browser where an authorization request
 * waits for that: it goes back to the request, which is judged anew with the person that it now has.
 */
export function resumeAuthorization(scope: Scope, { user, proven, inCookies }: IssuedSession): void {
  if (!inCookies || proven === 'session' || proven === 'delegated') return
  const waiting = readLoginPrompt(scope)
  if (waiting) scope.continueAt = askFirst(scope, user, waiting.url)
}

/** Clients that asked for it hear that a session has ended. */
export const tellClients = (scope: Scope): void => scope.after(() => tellOfEndedSessions(scope))
