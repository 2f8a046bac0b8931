import * as z from 'zod'
import { validate } from '../../http/body.ts'
import { Operations, type RpcAnswer, requireUserId, run } from '../../http/operations.ts'
import { type PresentedUser, presentUser } from '../../identity/users/present-user.ts'
import { adminContract } from './admin.contract.ts'
import { type AuditPage, listAudit } from './audit/audit.ts'
import { banUser } from './ban.ts'
import { setRole } from './set-role.ts'
import { revokeUserSession, revokeUserSessions } from './user-sessions.ts'

const { setRole: roles, banUser: bans, revokeUserSession: revocations, listAudit: log } = adminContract
const ban = bans.body.shape
const banInput = z.object({ userId: ban.userId, reason: ban.banReason, expiresIn: ban.banExpiresIn })
const revocationInput = z.object({
  userId: z.unknown().optional(),
  token: revocations.body.shape.sessionToken.optional(),
})

/** Callers need not be typed: all of them are told what is wrong with what they ask. */
export class AdminOperations extends Operations {
  /** Gives somebody one role or several, in place of those they have. The last administrator stays one. */
  setRole(input: { userId: string; role: string | string[] }): Promise<RpcAnswer<PresentedUser>> {
    return this[run](async (scope) => {
      const { userId, role } = validate(roles.body, input, 'body')
      return presentUser(scope, await setRole(scope, null, userId, role))
    })
  }

  /** Bans somebody and ends all that they are signed in with; `expiresIn` is in seconds. */
  banUser(input: { userId: string; reason?: string; expiresIn?: number }): Promise<RpcAnswer<PresentedUser>> {
    return this[run](async (scope) => {
      const { userId, ...terms } = validate(banInput, input, 'body')
      return presentUser(scope, await banUser(scope, null, userId, terms))
    })
  }

  /** Ends one session by its token, or all sessions of a user. The audit log tells of it. */
  revokeSessions(input: { userId: string } | { token: string }): Promise<RpcAnswer<{ status: true }>> {
    return this[run](async (scope) => {
      const { token, userId } = validate(revocationInput, input, 'body')
      if (token !== undefined) await revokeUserSession(scope, null, token)
      else await revokeUserSessions(scope, null, requireUserId({ userId }))
      return { status: true }
    })
  }

  /** What administrators have done, newest first; the next page by `cursor`. */
  listAudit(
    input: { userId?: string; actorId?: string; limit?: number; cursor?: string } = {},
  ): Promise<RpcAnswer<AuditPage>> {
    return this[run](async (scope) => listAudit(scope, validate(log.query, input, 'query')))
  }
}
