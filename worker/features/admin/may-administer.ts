import { isOwnSession } from '../../identity/caller.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { hasRole, mayDo, type Permissions, readRoles, splitRoles } from '../../kit/permissions.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'

/** The permission rules. Roles are stored in the form of `readRoles`: known, trimmed, joined by commas. */

/** The acting administrator, or the server (null). */
export type Actor = Caller | null

type Standing = Pick<User, 'id' | 'role'>

const isListed = (scope: Scope, user: Standing): boolean => adminOptions.of(scope).adminUserIds.includes(user.id)

/** Whether a user's roles, or an entry in `adminUserIds`, allow all requested actions. */
export const userMay = (scope: Scope, user: Standing, wanted: Permissions): boolean =>
  Object.keys(wanted).length > 0 && (isListed(scope, user) || mayDo(adminOptions.of(scope).roles, user.role, wanted))

/** Whether a caller may: the session of an API key or of an impersonation never administers. */
export const mayAdminister = (scope: Scope, caller: Caller, wanted: Permissions): boolean =>
  isOwnSession(caller) && userMay(scope, caller.user, wanted)

/** Whether a user counts as an administrator. One administrator always remains. */
export const isAdministrator = (scope: Scope, user: Standing): boolean =>
  isListed(scope, user) || adminOptions.of(scope).adminRoles.some((role) => hasRole(user.role, role))

/** Whether a user is an administrator or has any permission. */
export const administersAnything = (scope: Scope, user: Standing): boolean =>
  isAdministrator(scope, user) || permissionsOf(scope, splitRoles(user.role)).length > 0

/** The single permissions of some roles: `{ user: ['ban'] }`, `{ session: ['list'] }`, ... */
const permissionsOf = (scope: Scope, names: readonly string[]): Permissions[] =>
  names
    .flatMap((name) => Object.entries(adminOptions.of(scope).roles[name] ?? {}))
    .flatMap(([resource, actions]) => actions.map((action) => ({ [resource]: [action] })))

/** Whether a user has every permission of the given roles. A user grants and revokes only their own permissions. */
export const holdsAllOf = (scope: Scope, user: Standing, roles: string): boolean =>
  permissionsOf(scope, splitRoles(roles)).every((permission) => userMay(scope, user, permission))

/** Whether a user may act on another one: otherwise they could take over an account with more permissions. */
export function mayActOn(scope: Scope, actor: Standing, subject: Standing): boolean {
  if (!isListed(scope, subject)) return holdsAllOf(scope, actor, subject.role)
  return holdsAllOf(scope, actor, Object.keys(adminOptions.of(scope).roles).join(','))
}

/** Given roles as they are stored. @throws ROLE_NOT_FOUND */
export function requireAdminRoles(scope: Scope, given: string | readonly string[]): string {
  const role = readRoles(adminOptions.of(scope).roles, given)
  if (role === null) throw errors.ROLE_NOT_FOUND()
  return role
}
