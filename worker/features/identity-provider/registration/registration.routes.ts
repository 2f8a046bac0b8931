import type { Handlers } from '../../../http/routes.ts'
import { isOwnSession } from '../../../identity/caller.ts'
import type { registrationContract } from './registration.contract.ts'
import { register } from './registration.ts'

export const registrationHandlers: Handlers<typeof registrationContract> = {
  registerClient: async ({ scope, request, raw }) => {
    const caller = await scope.caller()
    const registration = { raw, contentType: request.headers.get('content-type') }
    return register(scope, registration, { caller: caller && isOwnSession(caller) ? caller : null, anonymous: false })
  },
}
