import { redirectTo, routes } from '../../http/routes.ts'
import { startAuthorization } from '../social/authorization.ts'
import { findCustomOptions } from '../social/custom/custom-provider.ts'
import { startLink } from '../social/link.ts'
import { genericOAuthContract } from './generic-oauth.contract.ts'
import { genericOAuthErrors as errors } from './generic-oauth.errors.ts'
import { handleOAuth2Callback, requireCustomProvider } from './generic-oauth.ts'

export const genericOAuthRoutes = routes(genericOAuthContract, {
  signInOAuth2: async ({ scope, body }) => {
    const configured = await requireCustomProvider(scope, body.providerId)
    return { url: await startAuthorization(scope, configured, body), redirect: !body.disableRedirect }
  },
  oauth2Callback: async ({ scope, params, query }) =>
    redirectTo(await handleOAuth2Callback(scope, params.providerId, query)),
  oauth2Link: async ({ scope, caller, body }) => {
    if (!findCustomOptions(scope, body.providerId)) throw errors.PROVIDER_NOT_FOUND()
    const configured = await requireCustomProvider(scope, body.providerId)
    return { url: await startLink(scope, caller, configured, body), redirect: true }
  },
})
