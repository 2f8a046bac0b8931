import type { DeviceKey, Session } from '../../../identity/model/sessions.table.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { securityEvent } from '../../../identity/security/security-events.ts'
import { feedStatements, noteChange } from '../../../identity/sessions/ended-sessions.ts'
import {
  isKeyRegistered,
  rowOfRegistered,
  setDeviceKey,
  someSession,
  withToken,
} from '../../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSession } from '../../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'

/** Makes a session device-bound: session data from before is refused by every isolate within seconds. */
export async function bindSession(scope: Scope, sessionId: string, deviceKey: DeviceKey): Promise<void> {
  const work = unitOfWork(scope)
  const registered = isKeyRegistered(sessionId, deviceKey.id)
  // A part of the sign-in, whose record is in the log.
  work.audit(null)
  work.run(feedStatements(scope, { ...rowOfRegistered(registered), prefix: 'bound:' }))
  work.run(setDeviceKey(scope.db, registered, deviceKey))
  await work.commit(() => noteChange(scope, 'bound:', sessionId))
}

/** Ends a session whose cookie was used by two browsers, and notifies the owner. */
export async function endCopied(
  scope: Scope,
  { session, user }: { session: Pick<Session, 'id' | 'token'>; user: User },
): Promise<void> {
  const which = withToken(session.token)
  const work = unitOfWork(scope)
  work.audit({ action: 'end-copied-session', actor: { type: 'system', id: null }, subjectId: user.id })
  const event = { type: 'session-copied', user, outcome: 'failure', sessionId: session.id } as const
  securityEvent(scope, work, event, someSession(which))
  endSessions(scope, work, which)
  await work.commit()
  forgetSession(scope, session.token)
}
