import type { Caller, Scope } from '../../identity/scope.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { mayDo, type Permissions } from '../../kit/permissions.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { mayAdminister, userMay } from './may-administer.ts'

/** Whether a user, a role, or by default the caller may do all of the given actions. */
export async function hasPermission(
  scope: Scope,
  caller: Caller,
  { userId, role, permissions }: { userId?: string | undefined; role?: string | undefined; permissions: Permissions },
): Promise<boolean> {
  if (userId !== undefined && userId !== caller.user.id) {
    if (!mayAdminister(scope, caller, { user: ['list'] })) throw errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS()
    const user = await findUserById(scope.db, userId)
    if (!user) throw errors.USER_NOT_FOUND()
    return userMay(scope, user, permissions)
  }
  if (userId === undefined && role !== undefined) return mayDo(adminOptions.of(scope).roles, role, permissions)
  return mayAdminister(scope, caller, permissions)
}
