import type { Handlers } from '../../../http/routes.ts'
import { asQuery, goTo, queryOf } from '../model/protocol/responses.ts'
import { endpointUrl } from '../model/protocol/urls.ts'
import type { logoutContract } from './logout.contract.ts'
import { endSessionForClient } from './logout.ts'

export const logoutHandlers: Handlers<typeof logoutContract> = {
  endSession: async ({ scope, request }) => goTo(request, await endSessionForClient(scope, queryOf(request))),
  endSessionByPost: ({ scope, raw }) => asQuery(endpointUrl(scope, '/oauth2/end-session'), raw),
}
