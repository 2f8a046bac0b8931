import { type Handlers, reading } from '../../../http/routes.ts'
import type { findClientsContract } from './find-clients.contract.ts'
import { clientsThatMatch } from './find-clients.store.ts'

const foundAtOnce = 20

export const findClientsHandlers: Handlers<typeof findClientsContract> = {
  findClients: reading(
    ({ scope, query: { search, limit = foundAtOnce } }) => ({ clients: clientsThatMatch(scope.db, search, limit) }),
    (_call, { clients }) => ({
      clients: clients.map(({ isAgent, isService, ...client }) => ({
        ...client,
        kind: isAgent ? ('agent' as const) : isService ? ('service' as const) : ('client' as const),
      })),
    }),
  ),
}
