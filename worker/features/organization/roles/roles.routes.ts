import type { Handlers } from '../../../http/routes.ts'
import { memberMay, requireMembership } from '../membership.ts'
import { organizationErrors as errors } from '../organization.errors.ts'
import type { rolesContract } from './roles.contract.ts'

export const roleHandlers: Handlers<typeof rolesContract> = {
  hasPermission: async ({ scope, caller, body }) => {
    const { member } = await requireMembership(scope, caller, body.organizationId, {
      missing: errors.NO_ACTIVE_ORGANIZATION,
      outside: errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
    })
    return { error: null, success: memberMay(scope, member, (body.permissions ?? body.permission)!) }
  },
}
