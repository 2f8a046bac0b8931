import type { Scope } from '../../identity/scope.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { AppError, GiveUp } from '../../kit/errors.ts'
import { splitRoles } from '../../kit/permissions.ts'
import { adminOptions } from './admin.config.ts'
import { banUser, unbanUser } from './ban.ts'
import { removeOtherUser } from './remove-user.ts'
import { setRole } from './set-role.ts'

/**
 * A command of `gatehouse users` or `gatehouse admin`. The command line writes a job, and the Worker runs it: with the steps
 * of its features, hooks, webhooks, notices and the audit log, as for a command of an administrator.
 */
export type OperatorCommand = { userId: string } & (
  | { action: 'ban'; reason: string | null; expiresIn: number | null }
  | { action: 'unban' | 'delete' | 'make-admin' }
)

/** The kind of its jobs. The key is the user, so that commands for one user run in order. */
export const operatorKind = 'operator'

/** The payload is written by the command line, without the secret, so it is not sealed. */
export const operatorJobs = { [operatorKind]: { run: runCommand, cost: 20 } }

/** @throws GiveUp if the Worker refuses the command, such as the deletion of the last administrator */
async function runCommand(scope: Scope, command: OperatorCommand): Promise<void> {
  try {
    await act(scope, command)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) throw new GiveUp(`${thrown.code}: ${thrown.message}`)
    throw thrown
  }
}

async function act(scope: Scope, command: OperatorCommand): Promise<unknown> {
  const { userId } = command
  switch (command.action) {
    case 'ban':
      return banUser(scope, null, userId, command)
    case 'unban':
      return unbanUser(scope, null, userId)
    case 'delete':
      return removeOtherUser(scope, null, userId)
    case 'make-admin': {
      const user = await findUserById(scope.db, userId)
      const roles = splitRoles([user?.role ?? '', adminOptions.of(scope).adminRoles[0]!])
      return setRole(scope, null, userId, roles)
    }
    default:
      throw new GiveUp(`unknown command ${JSON.stringify((command as { action: unknown }).action)}`)
  }
}
