import { type Handlers, reading } from '../../../http/routes.ts'
import { membershipQuery } from '../model/membership.store.ts'
import { foundMembership, memberMay } from '../model/membership.ts'
import { organizationErrors as errors } from '../organization.errors.ts'
import type { rolesContract } from './roles.contract.ts'

export const roleHandlers: Handlers<typeof rolesContract> = {
  hasPermission: reading(
    ({ scope, own, body }) => ({
      memberships: membershipQuery(scope.db, own.userId, {
        id: body.organizationId || own.ofSession('activeOrganizationId'),
      }),
    }),
    ({ scope, caller, body }, { memberships: [found] }) => {
      const { member } = foundMembership(scope, caller, body.organizationId, found, {
        missing: errors.NO_ACTIVE_ORGANIZATION,
        outside: errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      })
      return { error: null, success: memberMay(scope, member, (body.permissions ?? body.permission)!) }
    },
  ),
}
