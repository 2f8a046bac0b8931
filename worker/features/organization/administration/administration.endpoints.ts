import { defineEndpoints } from '../../../http/feature.ts'
import { reading, routes } from '../../../http/routes.ts'
import { presentMember } from '../model/present-membership.ts'
import { administrationContract } from './administration.contract.ts'
import { administrationOperations } from './administration.operations.ts'
import {
  deleteAnyOrganization,
  organizationReads,
  organizationsRead,
  presentForAdministrator,
  presentOrganizations,
  removeOrganizationMember,
  transferOrganization,
  updateOrganizationMember,
} from './administration.ts'

const success = { success: true } as const

export const organizationAdministrationEndpoints = defineEndpoints({
  routes: routes(administrationContract, {
    listAllOrganizations: reading(
      ({ scope, query }) => ({ rows: organizationsRead(scope, query) }),
      ({ query }, { rows }) => presentOrganizations(rows, query),
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
