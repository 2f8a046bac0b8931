import { type Handlers, reading } from '../../../http/routes.ts'
import { pageOf } from '../../../kit/page.ts'
import type { ownClientsContract } from './own-clients.contract.ts'
import { selectApplicationsOf } from './own-clients.store.ts'
import { deleteOwnClient, presentOwnClient, rotateOwnClientSecret, updateOwnClient } from './own-clients.ts'

export const ownClientsHandlers: Handlers<typeof ownClientsContract> = {
  listOwnClients: reading(
    ({ scope, own, query }) => ({ clients: selectApplicationsOf(scope.db, own.userId, pageOf(query)) }),
    (_call, { clients }) => clients.map(presentOwnClient),
  ),
  updateOwnClient: ({ scope, caller, body }) => updateOwnClient(scope, caller, body),
  rotateClientSecret: ({ scope, caller, body }) => rotateOwnClientSecret(scope, caller, body.clientId),
  deleteOwnClient: async ({ scope, caller, body }) => {
    await deleteOwnClient(scope, caller, body.clientId)
    return { status: true }
  },
}
