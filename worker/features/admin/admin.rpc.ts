import { Operations, type RpcAnswer, requireUserId, run } from '../../http/operations.ts'
import { type PresentedUser, presentUser } from '../../identity/users/present-user.ts'
import { type AuditPage, listAudit } from './audit/audit.ts'
import { banUser } from './ban.ts'
import { setRole } from './set-role.ts'
import { revokeUserSession, revokeUserSessions } from './user-sessions.ts'

export class AdminOperations extends Operations {
  /** Gives somebody one role or several, in place of those they have. The last administrator stays one. */
  setRole(input: { userId: string; role: string | string[] }): Promise<RpcAnswer<PresentedUser>> {
    return this[run](async (scope) => presentUser(scope, await setRole(scope, null, input.userId, input.role)))
  }

  /** Bans somebody and ends all that they are signed in with; `expiresIn` is in seconds. */
  banUser(input: { userId: string; reason?: string; expiresIn?: number }): Promise<RpcAnswer<PresentedUser>> {
    return this[run](async (scope) => presentUser(scope, await banUser(scope, null, input.userId, input)))
  }

  /** Ends one session by its token, or all sessions of a user. The audit log tells of it. */
  revokeSessions(input: { userId: string } | { token: string }): Promise<RpcAnswer<{ status: true }>> {
    return this[run](async (scope) => {
      if ('token' in input) await revokeUserSession(scope, null, String(input.token))
      else await revokeUserSessions(scope, null, requireUserId(input))
      return { status: true }
    })
  }

  /** What administrators have done, newest first; the next page by `cursor`. */
  listAudit(
    input: { userId?: string; actorId?: string; limit?: number; cursor?: string } = {},
  ): Promise<RpcAnswer<AuditPage>> {
    return this[run]((scope) => listAudit(scope, input))
  }
}
