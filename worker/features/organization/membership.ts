import type { Caller, Scope } from '../../identity/scope.ts'
import type { AppError, AppErrorKind } from '../../kit/errors.ts'
import { hasRole, mayDo, type Permissions, readRoles } from '../../kit/permissions.ts'
import { forgetActiveOrganization } from './active-organization.ts'
import type { Member } from './members/members.table.ts'
import { findMembership, type Membership } from './membership.store.ts'
import { organizationOptions } from './organization.config.ts'
import { organizationErrors as errors } from './organization.errors.ts'

/**
 * The organization that a call means: the one it names, otherwise the session's active one.
 * @throws `missing` when there is neither
 */
export function meantOrganization(caller: Caller, given: string | null | undefined, missing: AppErrorKind): string {
  const id = given || caller.session.activeOrganizationId
  if (!id) throw missing()
  return id
}

/**
 * What to throw when the caller is no member of an organization, which is the same as when there is none. If the
 * session took it for its active one, that is over.
 */
export function outsider(scope: Scope, caller: Caller, organizationId: string, error: AppErrorKind): AppError {
  if (caller.session.activeOrganizationId === organizationId) forgetActiveOrganization(scope, caller)
  return error()
}

/** The caller's membership. @throws `missing` and `outside`, as above */
export async function requireMembership(
  scope: Scope,
  caller: Caller,
  given: string | null | undefined,
  { missing, outside }: { missing: AppErrorKind; outside: AppErrorKind },
): Promise<Membership> {
  const organizationId = meantOrganization(caller, given, missing)
  const membership = await findMembership(scope.db, caller.user.id, organizationId)
  if (!membership) throw outsider(scope, caller, organizationId, outside)
  return membership
}

/** Whether a member may do something, by their roles alone. */
export const memberMay = (scope: Pick<Scope, 'options'>, member: Pick<Member, 'role'>, wanted: Permissions): boolean =>
  mayDo(organizationOptions.of(scope).roles, member.role, wanted)

/** Whether roles include the creator's, which only those who have it can give or take. */
export const isOwner = (scope: Pick<Scope, 'options'>, role: string | null): boolean =>
  hasRole(role ?? '', organizationOptions.of(scope).creatorRole)

/** Given roles in the form that is stored. @throws ROLE_NOT_FOUND */
export function requireRoles(scope: Pick<Scope, 'options'>, given: string | readonly string[]): string {
  const roles = readRoles(organizationOptions.of(scope).roles, given)
  if (roles === null) throw errors.ROLE_NOT_FOUND()
  return roles
}
