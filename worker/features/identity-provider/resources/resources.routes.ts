import type { Handlers } from '../../../http/routes.ts'
import type { resourcesContract } from './resources.contract.ts'
import { createResource, deleteResource, updateResource } from './resources.ts'

export const resourcesHandlers: Handlers<typeof resourcesContract> = {
  createResource: ({ scope, body }) => createResource(scope, body),
  updateResource: ({ scope, body }) => updateResource(scope, body),
  deleteResource: async ({ scope, body }) => {
    await deleteResource(scope, body.id)
    return { success: true } as const
  },
}
