import type { Caller, Scope } from '../../../identity/scope.ts'
import { forgetSessionsOf } from '../../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { newId } from '../../../kit/random.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'
import { showActiveOrganization } from '../model/active-organization.ts'
import type { Member } from '../model/members.table.ts'
import { hasFewerMembers } from '../model/membership.store.ts'
import {
  foundMembership,
  isNotified,
  isOwner,
  memberMay,
  memberMayGrant,
  originFields,
  requireMemberRoles,
  requireMembership,
  resolveOrganizationId,
  rolesOutOfReach,
} from '../model/membership.ts'
import { organizationOptions } from '../model/organization.config.ts'
import type { Organization } from '../model/organizations.table.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { memberErrors as errors } from './members.errors.ts'
import { removedMail, roleChangedMail } from './members.mails.ts'
import * as store from './members.store.ts'

const inActiveOrganization = { missing: shared.NO_ACTIVE_ORGANIZATION, outside: shared.MEMBER_NOT_FOUND }

/** The caller's membership and the affected member of the same organization. */
async function requireTarget(scope: Scope, caller: Caller, given: string | undefined, target: string) {
  const organizationId = resolveOrganizationId(caller, given, shared.NO_ACTIVE_ORGANIZATION)
  const found = await store.findMemberFor(scope.db, caller.user.id, organizationId, target)
  const membership = foundMembership(scope, caller, given, found.membership, inActiveOrganization)
  return { membership, target: found.target }
}

/** Removes a member whose roles the caller could give: owners are removed by owners only, and never the last one. */
export async function removeMember(
  scope: Scope,
  caller: Caller,
  memberIdOrEmail: string,
  given: string | undefined,
): Promise<store.MemberWithUser> {
  const { membership, target } = await requireTarget(scope, caller, given, memberIdOrEmail)
  const { member: by, organization } = membership
  if (!memberMay(scope, by, { member: ['delete'] })) throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER()
  if (!target) throw shared.MEMBER_NOT_FOUND()
  const { member, user } = target
  if (!memberMayGrant(scope, by, member.role)) throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER()
  const mail = isNotified(caller, user) ? await removedMail(scope, organization, user) : null
  await endMembership(scope, caller, organization, { member, by, mail })
  return target
}

/** @throws MEMBER_NOT_FOUND, YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER */
export async function leaveOrganization(
  scope: Scope,
  caller: Caller,
  organizationId: string,
): Promise<store.MemberWithUser> {
  const { member, organization } = await requireMembership(scope, caller, organizationId, {
    missing: shared.MEMBER_NOT_FOUND,
    outside: shared.MEMBER_NOT_FOUND,
  })
  await endMembership(scope, caller, organization, { member, by: member, mail: null })
  return { member, user: caller.user }
}

async function endMembership(
  scope: Scope,
  caller: Caller,
  organization: Organization,
  { member, by, mail }: { member: Member; by: Member; mail: Mail | null },
): Promise<void> {
  const work = unitOfWork(scope)
  requireChange(work, { member, by, losesOwnership: ownershipOf(scope, member) })
  if (mail) work.defer('mail', mail)
  work.audit({ organizationId: organization.id, subjectId: member.userId, before: { role: member.role } })
  store.addRemoval(scope, work, organization, member)
  await work.commit(() => {
    forgetSessionsOf(scope, member.userId)
    if (member.userId === caller.user.id && caller.session.activeOrganizationId === member.organizationId) {
      showActiveOrganization(scope, caller, null)
    }
  })
}

const ownershipOf = (scope: Scope, { role }: Member): string | null =>
  isOwner(scope, role) ? organizationOptions.of(scope).creatorRole : null

/** Requires that an owner remains and that no other request has changed a role since the read. */
const requireChange = (work: Work, change: store.MemberChange): void =>
  work.require(
    store.mayChange(change),
    change.losesOwnership === null
      ? shared.MEMBER_NOT_FOUND
      : errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
  )

/** Changes a member's roles. The caller needs all that the old and the new roles allow; one owner remains. */
export async function updateMemberRole(
  scope: Scope,
  caller: Caller,
  input: { memberId: string; role: string | string[]; organizationId?: string | undefined },
): Promise<Member> {
  const { memberId, organizationId: given } = input
  const role = requireMemberRoles(scope, input.role)
  const { membership, target } = await requireTarget(scope, caller, given, memberId)
  const { member: by, organization } = membership
  if (!memberMay(scope, by, { member: ['update'] })) throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER()
  if (!target || memberId.includes('@')) throw shared.MEMBER_NOT_FOUND()
  const { member, user } = target
  if (!memberMayGrant(scope, by, member.role) || !memberMayGrant(scope, by, role)) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER()
  }
  if (role === member.role) return member
  const losesOwnership = isOwner(scope, role) ? null : ownershipOf(scope, member)
  const work = unitOfWork(scope)
  requireChange(work, { member, by, losesOwnership })
  if (isNotified(caller, user)) work.defer('mail', await roleChangedMail(scope, organization, user, role))
  work.audit({ subjectId: user.id, before: { role: member.role }, after: { role } })
  const outOfReach = rolesOutOfReach(scope, { role })
  const updated = store.addRoleChange(scope, work, { organization, member }, { role, outOfReach })
  await work.commit()
  return updated.row!
}

export interface AddedMember {
  userId: string
  role: string | string[]
  organizationId: string
  teamId?: string | undefined
}

/** Makes a user a member without an invitation. For servers only: it checks no permission. */
export async function addMember(scope: Scope, input: AddedMember): Promise<Member> {
  const { teams } = organizationOptions.of(scope)
  const { organizationId, userId, teamId = null } = input
  const role = requireMemberRoles(scope, input.role)
  if (!organizationId) throw shared.NO_ACTIVE_ORGANIZATION()
  if (teamId !== null && !teams.enabled) throw shared.TEAMS_ARE_NOT_ENABLED()
  const { organization, user, team } = await store.findForNewMember(scope.db, { organizationId, userId, teamId })
  if (!organization) throw shared.ORGANIZATION_NOT_FOUND()
  if (!user) throw errors.USER_NOT_FOUND()
  if (teamId !== null && !team) throw shared.TEAM_NOT_FOUND()
  const granted = originFields('server', scope.auditing.serverKey?.id ?? null)
  const member = { id: newId(), organizationId, userId, role, teamId, createdAt: scope.now(), ...granted }
  const work = unitOfWork(scope)
  work.require(await hasFewerMembers(scope, { user, organization }), shared.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED)
  work.unique('members.organization_id', shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION)
  work.audit({ organizationId, subjectId: userId, after: { role, teamId } })
  store.addNewMember(scope, work, { organization, member })
  await work.commit()
  return member
}
