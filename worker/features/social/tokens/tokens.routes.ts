import type { Handlers } from '../../../http/routes.ts'
import { presentAccess, presentTokens } from './present-tokens.ts'
import type { tokensContract } from './tokens.contract.ts'
import { accountInfo, getAccessToken, refreshAccountTokens } from './tokens.ts'

export const tokensHandlers: Handlers<typeof tokensContract> = {
  getAccessToken: async ({ scope, caller, body }) => presentAccess(await getAccessToken(scope, caller.user.id, body)),
  refreshToken: async ({ scope, caller, body }) =>
    presentTokens(await refreshAccountTokens(scope, caller.user.id, body)),
  accountInfo: ({ scope, caller, body }) => accountInfo(scope, caller, body.accountId),
}
