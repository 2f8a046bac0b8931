import type { Caller, Scope } from '../../../identity/scope.ts'
import { forgetSessionsOf } from '../../../identity/sessions/sessions.ts'
import { newId } from '../../../kit/random.ts'
import { isUniqueViolation } from '../../../platform/database.ts'
import { showActiveOrganization } from '../active-organization.ts'
import type { Membership } from '../membership.store.ts'
import { isOwner, meantOrganization, memberMay, outsider, requireMembership, requireRoles } from '../membership.ts'
import { limitOf, organizationOptions } from '../organization.config.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { memberErrors as errors } from './members.errors.ts'
import { mailRemoved, mailRoleChanged } from './members.mails.ts'
import * as store from './members.store.ts'
import type { Member } from './members.table.ts'

/** @throws NO_ACTIVE_ORGANIZATION, MEMBER_NOT_FOUND */
export async function readActiveMember(scope: Scope, caller: Caller): Promise<store.MemberWithUser> {
  const { member } = await requireMembership(scope, caller, null, {
    missing: shared.NO_ACTIVE_ORGANIZATION,
    outside: shared.MEMBER_NOT_FOUND,
  })
  return { member, user: caller.user }
}

/** The caller's membership and the member that a call is about, both of one organization. */
async function requireTarget(scope: Scope, caller: Caller, given: string | undefined, target: string) {
  const organizationId = meantOrganization(caller, given, shared.NO_ACTIVE_ORGANIZATION)
  const found = await store.findMemberFor(scope.db, caller.user.id, organizationId, target)
  if (!found.membership) throw outsider(scope, caller, organizationId, shared.MEMBER_NOT_FOUND)
  return { membership: found.membership, target: found.target }
}

/**
 * Removes a member. Owners are removed by owners only, and never the last one.
 * @throws see the contract
 */
export async function removeMember(
  scope: Scope,
  caller: Caller,
  memberIdOrEmail: string,
  given: string | undefined,
): Promise<store.MemberWithUser> {
  const { membership, target } = await requireTarget(scope, caller, given, memberIdOrEmail)
  if (!memberMay(scope, membership.member, { member: ['delete'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER()
  }
  if (!target) throw shared.MEMBER_NOT_FOUND()
  if (isOwner(scope, target.member.role) && !isOwner(scope, membership.member.role)) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER()
  }
  await takeOut(scope, caller, membership, target.member)
  if (target.member.userId !== caller.user.id) await mailRemoved(scope, membership.organization, target.user)
  return target
}

/** @throws MEMBER_NOT_FOUND, YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER */
export async function leaveOrganization(
  scope: Scope,
  caller: Caller,
  organizationId: string,
): Promise<store.MemberWithUser> {
  const membership = await requireMembership(scope, caller, organizationId, {
    missing: shared.MEMBER_NOT_FOUND,
    outside: shared.MEMBER_NOT_FOUND,
  })
  await takeOut(scope, caller, membership, membership.member)
  return { member: membership.member, user: caller.user }
}

async function takeOut(scope: Scope, caller: Caller, { member: by }: Membership, member: Member): Promise<void> {
  if (!(await store.deleteMember(scope.db, member, by, organizationOptions.of(scope).creatorRole))) {
    // The statement wrote nothing: either an owner is the last one, or somebody else was faster.
    throw isOwner(scope, member.role)
      ? errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER()
      : shared.MEMBER_NOT_FOUND()
  }
  forgetSessionsOf(scope, member.userId)
  if (member.userId === caller.user.id && caller.session.activeOrganizationId === member.organizationId) {
    showActiveOrganization(scope, caller, null)
  }
}

/**
 * Changes a member's roles. Only an owner changes an owner's roles or makes somebody an owner; one owner remains.
 * @throws see the contract
 */
export async function updateMemberRole(
  scope: Scope,
  caller: Caller,
  {
    memberId,
    role: wanted,
    organizationId: given,
  }: { memberId: string; role: string | string[]; organizationId?: string | undefined },
): Promise<Member> {
  const role = requireRoles(scope, wanted)
  const { membership, target } = await requireTarget(scope, caller, given, memberId)
  const { member: by, organization } = membership
  // A key that was made for a program hands out no roles.
  if (!memberMay(scope, by, { member: ['update'] }) || caller.via === 'api-key') {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER()
  }
  if (!target || memberId.includes('@')) throw shared.MEMBER_NOT_FOUND()
  const wasOwner = isOwner(scope, target.member.role)
  const staysOwner = isOwner(scope, role)
  if ((wasOwner || staysOwner) && !isOwner(scope, by.role)) throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER()
  if (role === target.member.role) return target.member
  const { creatorRole } = organizationOptions.of(scope)
  const updated = await store.updateRole(scope.db, target.member, role, by, { creatorRole, staysOwner })
  if (!updated) {
    throw wasOwner && !staysOwner
      ? errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER()
      : shared.MEMBER_NOT_FOUND()
  }
  if (target.user.id !== caller.user.id) await mailRoleChanged(scope, organization, target.user, role)
  return updated
}

export interface AddedMember {
  userId: string
  role: string | string[]
  organizationId: string
  teamId?: string | undefined
}

/**
 * Makes somebody a member without an invitation. For servers only: it asks nobody for permission.
 * @throws ROLE_NOT_FOUND, NO_ACTIVE_ORGANIZATION, TEAMS_ARE_NOT_ENABLED, ORGANIZATION_NOT_FOUND, USER_NOT_FOUND,
 *   TEAM_NOT_FOUND, USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION, ORGANIZATION_MEMBERSHIP_LIMIT_REACHED
 */
export async function addMember(scope: Scope, input: AddedMember): Promise<Member> {
  const { teams, membershipLimit } = organizationOptions.of(scope)
  const { organizationId, userId, teamId = null } = input
  const role = requireRoles(scope, input.role)
  if (!organizationId) throw shared.NO_ACTIVE_ORGANIZATION()
  if (teamId !== null && !teams.enabled) throw shared.TEAMS_ARE_NOT_ENABLED()
  const { organization, user, team } = await store.findForNewMember(scope.db, { organizationId, userId, teamId })
  if (!organization) throw shared.ORGANIZATION_NOT_FOUND()
  if (!user) throw errors.USER_NOT_FOUND()
  if (teamId !== null && !team) throw shared.TEAM_NOT_FOUND()
  const member = { id: newId(), organizationId, userId, role, teamId, createdAt: scope.now() }
  const limit = await limitOf(membershipLimit, { user, organization })
  try {
    if (!(await store.insertMember(scope.db, member, limit))) throw shared.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED()
  } catch (thrown) {
    if (isUniqueViolation(thrown)) throw shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION()
    throw thrown
  }
  return member
}
