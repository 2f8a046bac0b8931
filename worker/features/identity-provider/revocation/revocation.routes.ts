import type { Handlers } from '../../../http/routes.ts'
import { findTokenForClient } from '../grants/find-token.ts'
import { deleteServiceToken } from '../grants/service-tokens.store.ts'
import { deleteGrant, expireAccessToken } from '../grants/tokens.store.ts'
import type { revocationContract } from './revocation.contract.ts'

export const revocationHandlers: Handlers<typeof revocationContract> = {
  /** RFC 7009: a refresh token ends with its grant, an access token alone. An unknown or foreign token is no error. */
  revokeToken: async ({ scope, request, raw }) => {
    const { client, token, service, type } = await findTokenForClient(scope, request, raw)
    if (service?.token.clientId === client.clientId) await deleteServiceToken(scope.db, service.token.id)
    if (token?.clientId !== client.clientId) return {}
    if (type === 'refresh_token') await deleteGrant(scope.db, token.grantId)
    else await expireAccessToken(scope.db, token.id, scope.now())
    return {}
  },
}
