import type { Handlers } from '../../../http/routes.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import type { resourcesContract } from './resources.contract.ts'
import { selectResourcesOf } from './resources.store.ts'
import {
  administrator,
  createResource,
  deleteResource,
  requireResourceManager,
  showResource,
  updateResource,
} from './resources.ts'

export const resourcesHandlers: Handlers<typeof resourcesContract> = {
  createResource: ({ scope, body }) => createResource(scope, administrator, body),
  updateResource: ({ scope, body }) => updateResource(scope, administrator, body),
  deleteResource: async ({ scope, body }) => {
    await deleteResource(scope, administrator, body.id)
    return { success: true } as const
  },
  listOrganizationResources: async ({ scope, caller, query }) => {
    const { organizationId: id, name } = await requireResourceManager(scope, caller, query.organizationId)
    const rows = await selectResourcesOf(scope.db, id)
    const { resourcesPerOrganization: limit } = identityProviderOptions.of(scope)
    return { resources: rows.map((row) => showResource(scope, row, { id, name })), limit }
  },
  createOrganizationResource: async ({ scope, caller, body: { organizationId, ...given } }) =>
    createResource(scope, await requireResourceManager(scope, caller, organizationId), given),
  updateOrganizationResource: async ({ scope, caller, body: { organizationId, ...given } }) =>
    updateResource(scope, await requireResourceManager(scope, caller, organizationId), given),
  deleteOrganizationResource: async ({ scope, caller, body }) => {
    await deleteResource(scope, await requireResourceManager(scope, caller, body.organizationId), body.id)
    return { success: true } as const
  },
}
