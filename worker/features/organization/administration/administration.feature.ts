import { defineFeature } from '../../../http/feature.ts'
import { reading, routes } from '../../../http/routes.ts'
import { adminOptions } from '../../admin/admin.config.ts'
import { organizationOptions } from '../membership/membership.config.ts'
import { presentMember } from '../membership/present-membership.ts'
import { administrationContract } from './administration.contract.ts'
import { administrationOperations } from './administration.operations.ts'
import {
  deleteAnyOrganization,
  organizationReads,
  organizationsOf,
  organizationsRead,
  presentForAdministrator,
  removeOrganizationMember,
  transferOrganization,
  updateOrganizationMember,
} from './administration.ts'

const success = { success: true } as const

/** The organizations of all users, for administrators of the application. */
export const organizationAdministration = defineFeature({
  name: 'organization-administration',
  on: (options) => organizationOptions.of({ options }).enabled && adminOptions.of({ options }).enabled,
  routes: routes(administrationContract, {
    listAllOrganizations: reading(
      ({ scope, query }) => ({ rows: organizationsRead(scope, query) }),
      ({ query }, { rows }) => organizationsOf(rows, query),
    ),
    getOrganization: reading(
      ({ scope, query }) => organizationReads(scope, query.id),
      ({ scope }, rows) => presentForAdministrator(scope, rows),
    ),
    updateOrganizationMember: async ({ scope, caller, body }) =>
      presentMember(scope, await updateOrganizationMember(scope, caller, body)),
    removeOrganizationMember: async ({ scope, caller, body }) => {
      await removeOrganizationMember(scope, caller, body)
      return success
    },
    transferOrganization: async ({ scope, caller, body }) =>
      presentMember(scope, await transferOrganization(scope, caller, body)),
    deleteAnyOrganization: async ({ scope, caller, body }) => {
      await deleteAnyOrganization(scope, caller, body.organizationId)
      return success
    },
  }),
  operations: administrationOperations,
})
