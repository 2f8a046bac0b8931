import type { IssuedSession } from '../../identity/lifecycle.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { isForgetful, setSessionCookies } from '../../identity/sessions/session-cookies.ts'
import { sessionExists } from '../../identity/sessions/sessions.store.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'
import { endSessionStatements, forgetSession } from '../../identity/sessions/sessions.ts'
import { sessionOptions } from '../../identity/settings.ts'
import { completeSignIn } from '../../identity/sign-in.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import type { User } from '../../identity/users/users.table.ts'
import { AppError } from '../../kit/errors.ts'
import { after } from '../../kit/time.ts'
import { demand, isUnmetDemand, runBatch } from '../../platform/statements.ts'
import { requireSubject, rightsStand } from './act.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { findLiveSession } from './admin.store.ts'
import { auditStatement } from './audit/audit.ts'
import { administersAnything } from './standing.ts'

/** What an administrator comes back to: `<session token>:<true when it ends with the browser>`, signed. */
const adminCookie = 'admin_session'

/**
 * Lets an administrator act as somebody else, in a session that tells whose it is and ends by itself. Nobody is asked
 * for a second factor, and nobody acts as an administrator unless the configuration allows it.
 * @throws see the contract
 */
export async function impersonateUser(
  scope: Scope,
  admin: Caller,
  userId: string,
): Promise<{ session: Session; user: User }> {
  const { allowImpersonatingAdmins, impersonationSessionDuration } = adminOptions.of(scope)
  const subject = await requireSubject(scope, admin, userId, errors.YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS)
  if (!allowImpersonatingAdmins && administersAnything(scope, subject)) throw errors.YOU_CANNOT_IMPERSONATE_ADMINS()
  const now = scope.now()
  if (subject.banned && (subject.banExpires === null || subject.banExpires > now)) {
    throw errors.BANNED_USERS_CANNOT_BE_IMPERSONATED()
  }
  const forgetful = isForgetful(scope)
  const result = await completeSignIn(scope, {
    user: subject,
    method: 'impersonation',
    proven: 'delegated',
    rememberMe: false,
    session: { impersonatedBy: admin.user.id, expiresAt: after(now, impersonationSessionDuration) },
    alongside: [
      ...rightsStand(scope, admin, subject),
      auditStatement(scope, admin, { action: 'impersonate-user', subjectId: userId }),
    ],
  }).catch((thrown) => {
    const changed = isUnmetDemand(thrown) || isRefused(thrown, coreErrors.FAILED_TO_CREATE_SESSION.code)
    throw changed ? errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME() : thrown
  })
  if (result.kind === 'challenged') throw errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME({ detail: 'challenged' })
  if (admin.via === 'cookie') {
    const lasting = forgetful ? {} : { maxAge: sessionOptions.of(scope).expiresIn }
    scope.cookies.setSigned(adminCookie, `${admin.session.token}:${forgetful || ''}`, lasting)
  }
  return result
}

const isRefused = (thrown: unknown, code: string) => thrown instanceof AppError && thrown.code === code

/**
 * Ends the impersonation and goes back to the administrator's own session. It does so too when the impersonation has
 * ended by itself and only the way back is left in the browser.
 * @throws UNAUTHORIZED with neither, YOU_ARE_NOT_IMPERSONATING_ANYONE, FAILED_TO_FIND_ADMIN_SESSION when the
 *   administrator's session is over: then the impersonation is over as well
 */
export async function stopImpersonating(scope: Scope): Promise<{ session: Session; user: User }> {
  const caller = await scope.caller()
  if (caller && !caller.session.impersonatedBy) throw errors.YOU_ARE_NOT_IMPERSONATING_ANYONE()
  const admin = await adminBehind(scope, caller)
  if (!caller && !admin) throw coreErrors.UNAUTHORIZED()
  if (caller) {
    // Of several stops at once, one ends it: the others find it gone, as if it had ended by itself.
    await runBatch(scope.db, [
      demand(scope.db, sessionExists(caller.session.id)),
      ...endSessionStatements(scope, caller.session.token),
      auditStatement(
        scope,
        { user: { id: caller.session.impersonatedBy! } },
        {
          action: 'stop-impersonating',
          subjectId: caller.user.id,
        },
      ),
    ]).catch((thrown) => {
      if (!isUnmetDemand(thrown)) throw thrown
    })
    forgetSession(scope, caller.session.token)
  }
  if (!admin) throw errors.FAILED_TO_FIND_ADMIN_SESSION()
  setSessionCookies(scope, admin.session, admin.user, !admin.forgetful)
  scope.cookies.clear(adminCookie)
  return admin
}

/** The session that the browser comes back to, if it still lives and is that of whoever acts here. */
async function adminBehind(scope: Scope, caller: Caller | null) {
  const [token, forgetful] = scope.cookies.getSigned(adminCookie)?.split(':') ?? []
  if (!token) return null
  const found = await findLiveSession(scope.db, token, scope.now())
  if (!found || found.session.impersonatedBy) return null
  if (caller && found.user.id !== caller.session.impersonatedBy) return null
  return { ...found, forgetful: forgetful === 'true' }
}

/** Lifecycle place `signingOut`: whoever signs out while they act as somebody else leaves nothing to come back to. */
export function leaveAdminSession(scope: Scope): string[] {
  const [token] = scope.cookies.getSigned(adminCookie)?.split(':') ?? []
  if (!token) return []
  scope.cookies.clear(adminCookie)
  return [token]
}

/** Lifecycle place `sessionIssued`: who signs in on a browser finds no way into an administrator's session there. */
export function forgetAdminSession(scope: Scope, { method }: IssuedSession): void {
  if (method !== 'impersonation' && scope.cookies.get(adminCookie) !== undefined) scope.cookies.clear(adminCookie)
}
