import type { Caller, Scope } from '../../../identity/scope.ts'
import type { AppError, AppErrorKind } from '../../../kit/errors.ts'
import { hasRole, mayDo, mayGrant, type Permissions, readRoles } from '../../../kit/permissions.ts'
import { forgetActiveOrganization, resendActiveOrganization } from './active-organization.ts'
import type { Member } from './members.table.ts'
import { organizationOptions } from './membership.config.ts'
import { organizationErrors as errors } from './membership.errors.ts'
import { findMembership, type Membership } from './membership.store.ts'

type Options = Pick<Scope, 'options'>

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
 * What to throw when the caller is not a member of an organization: the same as for one that does not exist. If it was
 * the session's active one, it no longer is; and whoever repeats a call whose answer was lost (they have left, it is
 * deleted) gets cookies that say what is stored.
 */
export function outsider(scope: Scope, caller: Caller, organizationId: string, error: AppErrorKind): AppError {
  if (caller.session.activeOrganizationId === organizationId) forgetActiveOrganization(scope, caller)
  else resendActiveOrganization(scope, caller)
  return error()
}

/** The caller's membership. @throws `missing` and `outside`, as above */
export async function requireMembership(
  scope: Scope,
  caller: Caller,
  given: string | null | undefined,
  refusals: { missing: AppErrorKind; outside: AppErrorKind },
): Promise<Membership> {
  const organizationId = meantOrganization(caller, given, refusals.missing)
  const membership = await findMembership(scope.db, caller.user.id, organizationId)
  return foundMembership(scope, caller, given, membership, refusals)
}

/** The same of a membership that was read together with the caller. @throws `missing` and `outside`, as above */
export function foundMembership(
  scope: Scope,
  caller: Caller,
  given: string | null | undefined,
  found: Membership | null | undefined,
  { missing, outside }: { missing: AppErrorKind; outside: AppErrorKind },
): Membership {
  const organizationId = meantOrganization(caller, given, missing)
  if (!found) throw outsider(scope, caller, organizationId, outside)
  return found
}

/** Whether a member may do something, by their roles alone. */
export const memberMay = (scope: Options, member: Pick<Member, 'role'>, wanted: Permissions): boolean =>
  mayDo(organizationOptions.of(scope).roles, member.role, wanted)

/** Whether roles include the creator's, which only those who have it can give or take. */
export const isOwner = (scope: Options, role: string | null): boolean =>
  hasRole(role ?? '', organizationOptions.of(scope).creatorRole)

/** Whether a member may give roles, or take them away, as far as these go: they hold all that the roles allow. */
export function memberMayGrant(scope: Options, { role }: Pick<Member, 'role'>, given: string | null): boolean {
  const { roles, creatorRole } = organizationOptions.of(scope)
  return mayGrant(roles, creatorRole, role, given ?? defaultRole)
}

/** Whether a member may invite with roles, which is also who may know the secret of such an invitation. */
export const memberMayInvite = (scope: Options, member: Pick<Member, 'role'>, given: string | null): boolean =>
  memberMay(scope, member, { invitation: ['create'] }) && memberMayGrant(scope, member, given)

/** The known roles that a member cannot invite with. */
export const rolesOutOfReach = (scope: Options, member: Pick<Member, 'role'>): string[] =>
  Object.keys(organizationOptions.of(scope).roles).filter((name) => !memberMayInvite(scope, member, name))

/** The role of an invitation that names none. */
export const defaultRole = 'member'

/** Given roles in the form that is stored. @throws ROLE_NOT_FOUND */
export function requireRoles(scope: Options, given: string | readonly string[]): string {
  const roles = readRoles(organizationOptions.of(scope).roles, given)
  if (roles === null) throw errors.ROLE_NOT_FOUND()
  return roles
}
