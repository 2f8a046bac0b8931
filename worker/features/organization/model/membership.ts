import type { User } from '../../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import type { AppError, AppErrorKind } from '../../../kit/errors.ts'
import { hasRole, mayDo, mayGrant, type Permissions, readRoles } from '../../../kit/permissions.ts'
import { organizationErrors as errors } from '../organization.errors.ts'
import { forgetActiveOrganization, resendActiveOrganization } from './active-organization.ts'
import type { Member, MemberOrigin } from './members.table.ts'
import { findMembership, type Membership } from './membership.store.ts'
import { organizationOptions } from './organization.config.ts'

/** Origins by which the organization manages the account of the member. */
const managing: readonly MemberOrigin[] = ['connection', 'directory', 'domain']

/** The part of a new member that says what has made the user a member. */
export const originFields = (origin: MemberOrigin, originId: string | null) => ({
  origin,
  originId,
  isManaged: managing.includes(origin),
  isChosen: false,
  roleChangedAt: null,
})

/** A user gets a mail about a change by another user or a server (null), unless their address is a placeholder. */
export const isNotified = (by: Caller | null, user: Pick<User, 'id' | 'emailIsPlaceholder'>): boolean =>
  user.id !== by?.user.id && !user.emailIsPlaceholder

type Options = Pick<Scope, 'options'>

/** The organization that a call names, or the session's active one. @throws `missing` without either */
export function resolveOrganizationId(caller: Caller, given: string | null | undefined, missing: AppErrorKind): string {
  const id = given || caller.session.activeOrganizationId
  if (!id) throw missing()
  return id
}

/**
 * The error for a caller who is not a member: the same as for a missing organization. Deactivates the organization in
 * the session. A repeated call after a lost response (the caller has left, or the organization is deleted) sends the
 * cookies again.
 */
export function notAMember(scope: Scope, caller: Caller, organizationId: string, error: AppErrorKind): AppError {
  if (caller.session.activeOrganizationId === organizationId) forgetActiveOrganization(scope, caller)
  else resendActiveOrganization(scope, caller)
  return error()
}

/** The caller's membership. @throws `missing`, `outside` */
export async function requireMembership(
  scope: Scope,
  caller: Caller,
  given: string | null | undefined,
  refusals: { missing: AppErrorKind; outside: AppErrorKind },
): Promise<Membership> {
  const organizationId = resolveOrganizationId(caller, given, refusals.missing)
  const membership = await findMembership(scope.db, caller.user.id, organizationId)
  return foundMembership(scope, caller, given, membership, refusals)
}

/** The same for a membership that was read with the caller. @throws `missing`, `outside` */
export function foundMembership(
  scope: Scope,
  caller: Caller,
  given: string | null | undefined,
  found: Membership | null | undefined,
  { missing, outside }: { missing: AppErrorKind; outside: AppErrorKind },
): Membership {
  const organizationId = resolveOrganizationId(caller, given, missing)
  if (!found) throw notAMember(scope, caller, organizationId, outside)
  scope.auditing.organizationId = organizationId
  return found
}

export const memberMay = (scope: Options, member: Pick<Member, 'role'>, wanted: Permissions): boolean =>
  mayDo(organizationOptions.of(scope).roles, member.role, wanted)

/** Whether roles include the creator's role, which only its holders can grant or remove. */
export const isOwner = (scope: Options, role: string | null): boolean =>
  hasRole(role ?? '', organizationOptions.of(scope).creatorRole)

/** A member may grant and remove roles whose permissions they all have. */
export function memberMayGrant(scope: Options, { role }: Pick<Member, 'role'>, given: string | null): boolean {
  const { roles, creatorRole } = organizationOptions.of(scope)
  return mayGrant(roles, creatorRole, role, given ?? defaultRole)
}

/** Whether a member may invite with roles and may see the secret of such an invitation. */
export const memberMayInvite = (scope: Options, member: Pick<Member, 'role'>, given: string | null): boolean =>
  memberMay(scope, member, { invitation: ['create'] }) && memberMayGrant(scope, member, given)

/** The roles with which a member cannot invite. */
export const rolesOutOfReach = (scope: Options, member: Pick<Member, 'role'>): string[] =>
  Object.keys(organizationOptions.of(scope).roles).filter((name) => !memberMayInvite(scope, member, name))

/** The role of an invitation without one. */
export const defaultRole = 'member'

/** Roles in their stored form. @throws ROLE_NOT_FOUND */
export function requireMemberRoles(scope: Options, given: string | readonly string[]): string {
  const roles = readRoles(organizationOptions.of(scope).roles, given)
  if (roles === null) throw errors.ROLE_NOT_FOUND()
  return roles
}
