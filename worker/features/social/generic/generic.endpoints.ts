import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { finishCallback } from '../callback/callback.ts'
import { findCustomOptions } from '../custom-provider.ts'
import { startAuthorization } from '../model/authorization.ts'
import { redirectToOutcome } from '../model/callback-outcome.ts'
import { genericOAuthContract } from './generic.contract.ts'
import { genericOAuthErrors as errors } from './generic.errors.ts'
import { callbackRules, requireCustomProvider } from './generic.ts'

export const genericOAuthEndpoints = defineEndpoints({
  routes: routes(genericOAuthContract, {
    signInOAuth2: async ({ scope, body }) => {
      const configured = await requireCustomProvider(scope, body.providerId)
      return { url: await startAuthorization(scope, configured, body), redirect: !body.disableRedirect }
    },
    oauth2Callback: async ({ scope, params, query }) =>
      redirectToOutcome(scope, await finishCallback(scope, params.providerId, query, callbackRules)),
    oauth2Link: async ({ scope, caller: { user }, body }) => {
      if (!findCustomOptions(scope, body.providerId)) throw errors.PROVIDER_NOT_FOUND()
      const configured = await requireCustomProvider(scope, body.providerId)
      const link = { userId: user.id, email: user.email }
      return { url: await startAuthorization(scope, configured, { ...body, link }), redirect: true }
    },
  }),
})
