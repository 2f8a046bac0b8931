import type { Handlers } from '../../../http/routes.ts'
import type { discoveryContract } from './discovery.contract.ts'
import { discoveryDocument } from './discovery.ts'

export const discoveryHandlers: Handlers<typeof discoveryContract> = {
  openidConfiguration: ({ scope }) => discoveryDocument(scope),
}
