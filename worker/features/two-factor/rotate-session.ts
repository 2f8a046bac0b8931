import type { User } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { completeSignIn, type ProvenUser } from '../../identity/sign-in/sign-in.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import type { Work } from '../../identity/work.ts'

/**
 * Commits a change of the caller's second factor with a new token of their session. @param user the row after the
 * commit
 * @throws FAILED_TO_CREATE_SESSION when the session has ended or the given password has changed
 */
export async function rotateSession(
  scope: Scope,
  work: Work,
  caller: Caller,
  user: User,
  change: Pick<ProvenUser, 'passwordHash' | 'session'>,
): Promise<void> {
  announceUser(scope, work, 'user.updated', user.id, user)
  const rotation = { user, method: 'rotation', proven: 'session', replaces: caller, ...change } as const
  const result = await completeSignIn(scope, work, rotation)
  if (result.kind === 'challenged') throw core.FAILED_TO_CREATE_SESSION()
}
