import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { redirectToOutcome } from '../model/callback-outcome.ts'
import { oauthProxyContract } from './proxy.contract.ts'
import { acceptHandover } from './proxy.ts'

export const oauthProxyEndpoints = defineEndpoints({
  routes: routes(oauthProxyContract, {
    oauthProxyCallback: async ({ scope, query: { cookies, callbackURL } }) => {
      const accepted = await acceptHandover(scope, cookies)
      const outcome = accepted ? { to: callbackURL } : { error: 'OAuthProxy_Invalid_cookies_or_secret' }
      return redirectToOutcome(scope, outcome)
    },
  }),
})
