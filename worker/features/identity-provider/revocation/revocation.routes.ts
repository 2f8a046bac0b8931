import type { Handlers } from '../../../http/routes.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { endGrant, endServiceToken, endTokens } from '../model/grants/ended-tokens.ts'
import { findTokenForClient } from '../model/grants/find-token.ts'
import { deleteServiceToken } from '../model/grants/service-tokens.store.ts'
import { expireAccessToken, withId } from '../model/grants/tokens.store.ts'
import type { revocationContract } from './revocation.contract.ts'

export const revocationHandlers: Handlers<typeof revocationContract> = {
  /** RFC 7009: a refresh token ends with its grant, an access token alone. An unknown or foreign token does not cause an error. */
  revokeToken: async ({ scope, request, raw }) => {
    const { client, token, service, type } = await findTokenForClient(scope, request, raw)
    const work = unitOfWork(scope)
    if (service?.token.clientId === client.clientId) {
      work.run(endServiceToken(scope, service.token.id))
      work.run(deleteServiceToken(scope.db, service.token.id))
    }
    if (token?.clientId === client.clientId) {
      if (type === 'refresh_token') {
        await endGrant(scope, token.grantId)
        return {}
      }
      work.run(endTokens(scope, withId(token.id)))
      work.run(expireAccessToken(scope.db, token.id, scope.now()))
    }
    await work.commit()
    return {}
  },
}
