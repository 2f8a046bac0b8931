import type { Handlers } from '../../../http/routes.ts'
import type { servicesContract } from './services.contract.ts'
import { createService, deleteService, rotateSecret, updateService } from './services.ts'

export const servicesHandlers: Handlers<typeof servicesContract> = {
  createService: ({ scope, body }) => createService(scope, body),
  updateService: ({ scope, body }) => updateService(scope, body),
  rotateServiceSecret: ({ scope, body }) => rotateSecret(scope, body.clientId, body.overlap),
  deleteService: async ({ scope, body }) => {
    await deleteService(scope, body.clientId)
    return { status: true }
  },
}
