import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { presentSession } from '../../../identity/sessions/present-session.ts'
import { presentUser } from '../../../identity/users/present-user.ts'
import { oneTimeTokenOptions } from './one-time-token.config.ts'
import { oneTimeTokenContract } from './one-time-token.contract.ts'
import { oneTimeTokenErrors as errors } from './one-time-token.errors.ts'
import { oneTimeTokenOperations } from './one-time-token.operations.ts'
import { generateOneTimeToken, redeemOneTimeToken } from './one-time-token.ts'

export const oneTimeTokenEndpoints = defineEndpoints({
  routes: routes(oneTimeTokenContract, {
    generateOneTimeToken: async ({ scope, caller }) => {
      if (oneTimeTokenOptions.of(scope).disableClientRequest) throw errors.CLIENT_REQUESTS_ARE_DISABLED()
      return { token: await generateOneTimeToken(scope, caller.session.token) }
    },
    verifyOneTimeToken: async ({ scope, body }) => {
      const { session, user } = await redeemOneTimeToken(scope, body.token)
      return { session: presentSession(scope, session), user: presentUser(scope, user) }
    },
  }),
  operations: oneTimeTokenOperations,
})
