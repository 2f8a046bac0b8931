import { askFirst } from '../../http/ask-first.ts'
import type { EventType } from '../../identity/events/events.ts'
import type { IssuedSession } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'
import type { Statement } from '../../platform/statements.ts'
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

const endingSessions = new WeakSet<Scope>()
const nobodyWaits = new WeakSet<Scope>()

/** `recording`: when sessions have ended, in whatever way, clients that asked for it hear of it. */
export function tellClients(scope: Scope, type: EventType): Statement[] {
  if (type === 'session.ended' && !endingSessions.has(scope)) {
    endingSessions.add(scope)
    scope.after(async () => {
      if (!nobodyWaits.has(scope)) await tellOfEndedSessions(scope)
    })
  }
  return []
}

/** `signedOut`: every sign-out comes by here, so that nobody is asked where no client waits. */
export function noteSignOut(scope: Scope, ended: readonly Session[]): void {
  if (!ended.some(({ endIsAwaited }) => endIsAwaited)) nobodyWaits.add(scope)
}
