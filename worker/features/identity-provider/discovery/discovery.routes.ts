import type { Handlers } from '../../../http/routes.ts'
import { tryToReadResources } from '../model/protocol/known-resources.ts'
import type { discoveryContract } from './discovery.contract.ts'
import { discoveryDocument } from './discovery.ts'

export const discoveryHandlers: Handlers<typeof discoveryContract> = {
  openidConfiguration: async ({ scope }) => {
    await tryToReadResources(scope)
    return discoveryDocument(scope)
  },
}
