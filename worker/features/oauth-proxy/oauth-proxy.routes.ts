import { redirectTo, routes } from '../../http/routes.ts'
import { oauthProxyContract } from './oauth-proxy.contract.ts'
import { acceptHandover } from './oauth-proxy.ts'

export const oauthProxyRoutes = routes(oauthProxyContract, {
  oauthProxyCallback: async ({ scope, query }) => {
    await acceptHandover(scope, query.cookies)
    return redirectTo(query.callbackURL)
  },
})
