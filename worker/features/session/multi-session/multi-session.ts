import { httpErrors } from '../../../http/http.errors.ts'
import type { Session } from '../../../identity/model/sessions.table.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { admits } from '../../../identity/sessions/device-key.ts'
import { clearSessionCookies, readSessionToken, setSessionCookies } from '../../../identity/sessions/session-cookies.ts'
import { sessionOptions } from '../../../identity/sessions/sessions.config.ts'
import { endSession } from '../../../identity/sessions/sessions.ts'
import { ms } from '../../../kit/time.ts'
import { heldTokens, holdSession, holdsToken, letGo } from './device-cookies.ts'
import { multiSessionErrors as errors } from './multi-session.errors.ts'
import { findLiveSessions } from './multi-session.store.ts'

export interface DeviceSession {
  session: Session
  user: User
}

/**
 * The users of this browser, the active one first. Cookies of ended and replaced sessions are cleared. A device-bound session
 * whose key the request does not show is left out, and keeps its cookie.
 */
export async function listDeviceSessions(scope: Scope): Promise<DeviceSession[]> {
  const held = heldTokens(scope)
  const active = readSessionToken(scope)
  const found = await findLiveSessions(scope, held)
  const live = found.filter(({ session }) => admits(scope, session))
  const late = found.filter((one) => !live.includes(one))
  live.sort((a, b) => Number(b.session.token === active) - Number(a.session.token === active))
  const people = live.filter(({ user }, at) => live.findIndex((other) => other.user.id === user.id) === at)
  const kept = new Set([...people, ...late].map(({ session }) => session.token))
  letGo(
    scope,
    held.filter((token) => !kept.has(token)),
  )
  for (const { session } of people) holdSession(scope, session, isRemembered(scope, session))
  return people
}

/** Makes another session of this browser active: by its cookie, so that it works after the active one has ended. */
export async function activateSession(scope: Scope, token: string): Promise<DeviceSession> {
  if (!holdsToken(scope, token)) throw errors.INVALID_SESSION_TOKEN()
  const [found] = await findLiveSessions(scope, [token])
  if (!found) {
    letGo(scope, [token])
    throw errors.INVALID_SESSION_TOKEN()
  }
  if (!admits(scope, found.session)) throw httpErrors.SESSION_KEY_REQUIRED()
  show(scope, found)
  return found
}

/** Ends a session of this browser; the newest other one replaces an active one. @throws INVALID_SESSION_TOKEN */
export async function revokeDeviceSession(scope: Scope, token: string): Promise<void> {
  if (!holdsToken(scope, token)) throw errors.INVALID_SESSION_TOKEN()
  await endSession(scope, token)
  letGo(scope, [token])
  if (readSessionToken(scope) !== token) return
  const others = heldTokens(scope).filter((other) => other !== token)
  const next = (await findLiveSessions(scope, others)).find(({ session }) => admits(scope, session))
  if (next) show(scope, next)
  else clearSessionCookies(scope)
}

const show = (scope: Scope, { session, user }: DeviceSession): void =>
  setSessionCookies(scope, session, user, isRemembered(scope, session))

/** Whether a session outlives the browser's session. Other sessions have the short lifetime and are never extended. */
function isRemembered(scope: Scope, { expiresAt, updatedAt }: Session): boolean {
  const { expiresIn, shortLived } = sessionOptions.of(scope)
  return shortLived >= expiresIn || expiresAt.getTime() - updatedAt.getTime() > ms(shortLived)
}
