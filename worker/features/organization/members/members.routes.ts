import { type Handlers, reading } from '../../../http/routes.ts'
import { membershipQuery } from '../model/membership.store.ts'
import { foundMembership } from '../model/membership.ts'
import { presentMember, presentMemberWithUser } from '../model/present-membership.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import type { membersContract } from './members.contract.ts'
import { leaveOrganization, removeMember, updateMemberRole } from './members.ts'

export const memberHandlers: Handlers<typeof membersContract> = {
  getActiveMember: reading(
    ({ scope, own }) => ({
      memberships: membershipQuery(scope.db, own.userId, { id: own.ofSession('activeOrganizationId') }),
    }),
    ({ scope, caller }, { memberships: [found] }) => {
      const refusals = { missing: shared.NO_ACTIVE_ORGANIZATION, outside: shared.MEMBER_NOT_FOUND }
      return presentMemberWithUser(scope, foundMembership(scope, caller, null, found, refusals).member, caller.user)
    },
  ),
  removeMember: async ({ scope, caller, body }) => {
    const { member, user } = await removeMember(scope, caller, body.memberIdOrEmail, body.organizationId)
    return { member: presentMemberWithUser(scope, member, user) }
  },
  updateMemberRole: async ({ scope, caller, body }) =>
    presentMember(scope, await updateMemberRole(scope, caller, body)),
  leaveOrganization: async ({ scope, caller, body }) => {
    const { member, user } = await leaveOrganization(scope, caller, body.organizationId)
    return presentMemberWithUser(scope, member, user)
  },
}
