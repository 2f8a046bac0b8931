import { httpErrors } from '../../http/http.errors.ts'
import type { IssuedSession } from '../../identity/lifecycle.ts'
import type { Session } from '../../identity/model/sessions.table.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { admits } from '../../identity/sessions/device-key.ts'
import { isForgetful, setSessionCookies } from '../../identity/sessions/session-cookies.ts'
import { sessionOptions } from '../../identity/sessions/sessions.config.ts'
import { sessionExists, withToken } from '../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSession } from '../../identity/sessions/sessions.ts'
import { completeSignIn } from '../../identity/sign-in/sign-in.ts'
import { Overtaken, unitOfWork } from '../../identity/unit-of-work.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { AppError } from '../../kit/errors.ts'
import { after } from '../../kit/time.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { findLiveSession } from './admin.store.ts'
import { changeOf, requireSubject } from './change-user.ts'
import { administersAnything } from './may-administer.ts'

/** The administrator's own session: `<session token>:<true if it ends with the browser>`, signed. */
const adminCookie = 'admin_session'

/** Lets an administrator act as another user, in an expiring session that names both. It asks for no second factor. */
export async function impersonateUser(
  scope: Scope,
  admin: Caller,
  { userId, reason }: { userId: string; reason?: string | null | undefined },
): Promise<{ session: Session; user: User }> {
  const { allowImpersonatingAdmins, impersonationSessionDuration, requireImpersonationReason } = adminOptions.of(scope)
  if (requireImpersonationReason && !reason) throw errors.REASON_REQUIRED()
  const subject = await requireSubject(scope, admin, userId, errors.YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS)
  if (!allowImpersonatingAdmins && administersAnything(scope, subject)) throw errors.YOU_CANNOT_IMPERSONATE_ADMINS()
  const now = scope.now()
  if (subject.banned && (subject.banExpires === null || subject.banExpires > now)) {
    throw errors.BANNED_USERS_CANNOT_BE_IMPERSONATED()
  }
  const forgetful = isForgetful(scope)
  const work = changeOf(scope, admin, subject, { action: 'impersonate-user', after: reason ? { reason } : {} })
  const result = await completeSignIn(scope, work, {
    user: subject,
    method: 'impersonation',
    proven: 'delegated',
    rememberMe: false,
    session: { impersonatedBy: admin.user.id, expiresAt: after(now, impersonationSessionDuration) },
  }).catch((thrown) => {
    throw isRefused(thrown, coreErrors.FAILED_TO_CREATE_SESSION.code)
      ? errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME()
      : thrown
  })
  if (result.kind === 'challenged') throw errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME({ detail: 'challenged' })
  if (admin.via === 'cookie') {
    const lasting = forgetful ? {} : { maxAge: sessionOptions.of(scope).expiresIn }
    scope.response.cookies.setSigned(adminCookie, `${admin.session.token}:${forgetful || ''}`, lasting)
  }
  return result
}

const isRefused = (thrown: unknown, code: string) => thrown instanceof AppError && thrown.code === code

/**
 * Ends the impersonation, or what an expired one left, and restores the administrator's own session.
 * @throws FAILED_TO_FIND_ADMIN_SESSION when that session is over: then the impersonation is over as well
 */
export async function stopImpersonating(scope: Scope): Promise<{ session: Session; user: User }> {
  const caller = await scope.caller()
  if (caller && !caller.session.impersonatedBy) throw errors.YOU_ARE_NOT_IMPERSONATING_ANYONE()
  const admin = await adminBehind(scope, caller)
  if (!caller && !admin) throw coreErrors.UNAUTHORIZED()
  if (caller) {
    const { user, session } = caller
    const actorId = session.impersonatedBy!
    const work = unitOfWork(scope)
    work.require(sessionExists(session.id))
    endSessions(scope, work, withToken(session.token))
    work.audit({ action: 'stop-impersonating', subjectId: user.id })
    securityEvent(scope, work, { type: 'impersonation-stopped', user, sessionId: session.id, actorId })
    // Of several parallel requests, one ends the session. The others find no session, as after its expiry.
    await work.commit().catch((thrown) => {
      if (!(thrown instanceof Overtaken)) throw thrown
    })
    forgetSession(scope, session.token)
  }
  if (!admin) throw errors.FAILED_TO_FIND_ADMIN_SESSION()
  setSessionCookies(scope, admin.session, admin.user, !admin.forgetful)
  scope.response.cookies.clear(adminCookie)
  return admin
}

/** The administrator's session that the cookie names, if it is active and belongs to the impersonating user. */
async function adminBehind(scope: Scope, caller: Caller | null) {
  const [token, forgetful] = scope.response.cookies.getSigned(adminCookie)?.split(':') ?? []
  if (!token) return null
  const found = await findLiveSession(scope, token)
  if (!found || found.session.impersonatedBy) return null
  if (!admits(scope, found.session)) throw httpErrors.SESSION_KEY_REQUIRED()
  if (caller && found.user.id !== caller.session.impersonatedBy) return null
  return { ...found, forgetful: forgetful === 'true' }
}

/** Lifecycle place `signingOut`: a sign-out during an impersonation also ends the administrator's own session. */
export function leaveAdminSession(scope: Scope): string[] {
  const [token] = scope.response.cookies.getSigned(adminCookie)?.split(':') ?? []
  if (!token) return []
  scope.response.cookies.clear(adminCookie)
  return [token]
}

/** Lifecycle place `sessionIssued`: a sign-in removes the cookie of an administrator's session from the browser. */
export function forgetAdminSession(scope: Scope, { method }: IssuedSession): void {
  if (method !== 'impersonation' && scope.response.cookies.get(adminCookie) !== undefined)
    scope.response.cookies.clear(adminCookie)
}
