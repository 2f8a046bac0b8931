import type { Handlers } from '../../../http/routes.ts'
import { noStore } from '../protocol/responses.ts'
import type { deviceContract } from './device.contract.ts'
import { answerDevice, readDevice, startDevice } from './device.ts'

export const deviceHandlers: Handlers<typeof deviceContract> = {
  authorizeDevice: async ({ scope, request, raw }) => noStore(await startDevice(scope, request, raw)),
  readDevice: ({ scope, caller, body }) => readDevice(scope, caller, body.user_code),
  answerDevice: async ({ scope, caller, body }) => {
    await answerDevice(scope, caller, body)
    return { status: true }
  },
}
