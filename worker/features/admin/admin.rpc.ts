import * as z from 'zod'
import { validate } from '../../http/body.ts'
import { Operations, type RpcAnswer, requireUserId, run } from '../../http/operations.ts'
import { type PresentedUser, presentUser } from '../../identity/users/present-user.ts'
import { adminContract } from './admin.contract.ts'
import { type AuditFilter, type AuditPage, listAudit } from './audit/audit.ts'
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

/** Every method validates its input, because callers may be untyped. */
export class AdminOperations extends Operations {
  /** Replaces the roles of a user with one role or several. The last administrator keeps an administrator role. */
  setRole(input: { userId: string; role: string | string[] }): Promise<RpcAnswer<PresentedUser>> {
    return this[run](async (scope) => {
      const { userId, role } = validate(roles.body, input, 'body')
      return presentUser(scope, await setRole(scope, null, userId, role))
    })
  }

  /** Bans a user and ends their sessions, trusted devices, pending links and codes; `expiresIn` is in seconds. */
  banUser(input: { userId: string; reason?: string; expiresIn?: number }): Promise<RpcAnswer<PresentedUser>> {
    return this[run](async (scope) => {
      const { userId, ...terms } = validate(banInput, input, 'body')
      return presentUser(scope, await banUser(scope, null, userId, terms))
    })
  }

  /** Ends one session by its token, or all sessions of a user. The audit log records it. */
  revokeSessions(input: { userId: string } | { token: string }): Promise<RpcAnswer<{ status: true }>> {
    return this[run](async (scope) => {
      const { token, userId } = validate(revocationInput, input, 'body')
      if (token !== undefined) await revokeUserSession(scope, null, token)
      else await revokeUserSessions(scope, null, requireUserId({ userId }))
      return { status: true }
    })
  }

  /** Lists the audit log of administrator actions, newest first. `cursor` selects the next page. */
  listAudit(input: AuditFilter & { limit?: number; cursor?: string } = {}): Promise<RpcAnswer<AuditPage>> {
    return this[run](async (scope) => listAudit(scope, validate(log.query, input, 'query')))
  }
}
