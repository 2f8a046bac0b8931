import { AppError } from '../../kit/errors.ts'
import { after, hours } from '../../kit/time.ts'
import { actorOf } from '../caller.ts'
import type { Caller, Scope } from '../scope.ts'
import { hasFewerEvents, noteSecurityEvent, type SecurityEvent } from './security-events.ts'

/** Recorded rejections of one session per hour. */
export const maxRefusals = 10

const eventOf = ({ user, session }: Caller, type: SecurityEvent['type'], path: string): SecurityEvent => ({
  type,
  user,
  sessionId: session.id,
  actorId: actorOf(session),
  details: { path },
})

/** Records a rejected request of a signed-in caller, after the response. @param path the path of the contract */
export function noteRefusal(scope: Scope, caller: Caller, path: string, refusal: unknown): void {
  if (!(refusal instanceof AppError) || refusal.status !== 403) return
  const refused = eventOf(caller, 'access-refused', path)
  const event: SecurityEvent = { ...refused, outcome: 'failure', details: { ...refused.details, code: refusal.code } }
  noteSecurityEvent(scope, event, hasFewerEvents(maxRefusals, event, after(scope.now(), -hours(1))))
}

/**
 * Records a change by an administrator who impersonates a user, after the response. @param path the path of the
 * contract
 */
export const noteAct = (scope: Scope, caller: Caller, path: string): void =>
  noteSecurityEvent(scope, eventOf(caller, 'impersonated-act', path))
