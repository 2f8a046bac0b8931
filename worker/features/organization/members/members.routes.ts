import type { Handlers } from '../../../http/routes.ts'
import { presentMember, presentMemberWithUser } from '../present-organization.ts'
import type { membersContract } from './members.contract.ts'
import { leaveOrganization, readActiveMember, removeMember, updateMemberRole } from './members.ts'

export const memberHandlers: Handlers<typeof membersContract> = {
  getActiveMember: async ({ scope, caller }) => {
    const { member, user } = await readActiveMember(scope, caller)
    return presentMemberWithUser(scope, member, user)
  },
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
