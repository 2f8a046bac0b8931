import type { Handlers } from '../../../http/routes.ts'
import { endpointUrl } from '../../../identity/settings.ts'
import { asQuery, goTo, queryStringOf } from '../model/protocol/responses.ts'
import type { logoutContract } from './logout.contract.ts'
import { endSessionForClient } from './logout.ts'

export const logoutHandlers: Handlers<typeof logoutContract> = {
  endSession: async ({ scope, request }) => goTo(request, await endSessionForClient(scope, queryStringOf(request))),
  endSessionByPost: ({ scope, raw }) => asQuery(endpointUrl(scope, '/oauth2/end-session'), raw),
}
