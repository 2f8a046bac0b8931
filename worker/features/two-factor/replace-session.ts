import type { Caller, Scope } from '../../identity/scope.ts'
import { isForgetful } from '../../identity/sessions/session-cookies.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { completeSignIn } from '../../identity/sign-in.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import type { User } from '../../identity/users/users.table.ts'

/**
 * Gives the caller a new session, after the old one has ended with the write that changed the second factor.
 * It goes through completeSignIn like any other, so that every feature learns of the new token.
 */
export async function replaceSession(scope: Scope, { session }: Caller, user: User): Promise<Session> {
  forgetSessionsOf(scope, user.id)
  const result = await completeSignIn(scope, {
    user,
    method: 'second-factor',
    proven: 'session',
    rememberMe: !isForgetful(scope),
    session: { activeOrganizationId: session.activeOrganizationId },
  })
  if (result.kind === 'challenged') throw core.FAILED_TO_CREATE_SESSION()
  return result.session
}
