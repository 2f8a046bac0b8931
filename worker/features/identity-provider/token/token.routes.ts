import type { Handlers } from '../../../http/routes.ts'
import { deviceGrantType } from '../model/grants/device-code.ts'
import { noStore } from '../model/protocol/responses.ts'
import type { tokenContract } from './token.contract.ts'
import { token } from './token.ts'

export const tokenHandlers: Handlers<typeof tokenContract> = {
  oauthToken: async ({ scope, request, raw }) => noStore(await token(scope, request, raw)),
  deviceToken: async ({ scope, request, raw }) => noStore(await token(scope, request, raw, [deviceGrantType])),
}
