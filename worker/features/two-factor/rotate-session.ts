import { recordUser } from '../../identity/events/record.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'
import { completeSignIn, type ProvenPerson } from '../../identity/sign-in.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import type { User } from '../../identity/users/users.table.ts'
import { userChanged } from '../../identity/users/users.ts'

/**
 * Changes the caller's second factor and gives their session a new token: one batch, all or nothing.
 * @param user as they are once `alongside` is written
 * @throws FAILED_TO_CREATE_SESSION when the session has ended or the password that was given is no longer theirs; an
 *   unmet demand of `alongside` as it is. Nothing is written then.
 */
export async function rotateSession(
  scope: Scope,
  caller: Caller,
  user: User,
  change: Required<Pick<ProvenPerson, 'alongside'>> & Pick<ProvenPerson, 'passwordHash' | 'session'>,
): Promise<Session> {
  const result = await completeSignIn(scope, {
    user,
    method: 'rotation',
    proven: 'session',
    replaces: caller,
    ...change,
    alongside: [...change.alongside, ...recordUser(scope, 'user.updated', user.id)],
  })
  if (result.kind === 'challenged') throw core.FAILED_TO_CREATE_SESSION()
  await userChanged(scope, user)
  return result.session
}
