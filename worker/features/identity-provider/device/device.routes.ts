import type { Handlers } from '../../../http/routes.ts'
import { noStore } from '../model/protocol/responses.ts'
import type { deviceContract } from './device.contract.ts'
import { answerDevice, readDevice, startDevice } from './device.ts'

export const deviceHandlers: Handlers<typeof deviceContract> = {
  authorizeDevice: async ({ scope, request, raw }) => noStore(await startDevice(scope, request, raw)),
  deviceCode: async ({ scope, request, raw }) => noStore(await startDevice(scope, request, raw)),
  deviceStatus: async ({ scope, caller, query }) => {
    const { client, scopes } = await readDevice(scope, caller, query.user_code)
    return { user_code: query.user_code, status: 'pending', client_id: client.clientId, scope: scopes.join(' ') }
  },
  approveDevice: async ({ scope, caller, body }) => {
    await answerDevice(scope, caller, { user_code: body.userCode, accept: true })
    return { success: true }
  },
  denyDevice: async ({ scope, caller, body }) => {
    await answerDevice(scope, caller, { user_code: body.userCode, accept: false })
    return { success: true }
  },
  readDevice: ({ scope, caller, body }) => readDevice(scope, caller, body.user_code),
  answerDevice: async ({ scope, caller, body }) => {
    await answerDevice(scope, caller, body)
    return { status: true }
  },
}
