import type { Handlers } from '../../../http/routes.ts'
import { noStore } from '../model/protocol/responses.ts'
import type { parContract } from './par.contract.ts'
import { push } from './par.ts'

export const parHandlers: Handlers<typeof parContract> = {
  pushAuthorizationRequest: async ({ scope, request, raw }) => noStore(await push(scope, request, raw), 201),
}
