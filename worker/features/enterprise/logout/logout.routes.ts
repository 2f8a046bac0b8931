import type { Handlers } from '../../../http/routes.ts'
import { redirectToOutcome } from '../../social/model/callback-outcome.ts'
import type { ssoLogoutContract } from './logout.contract.ts'
import { receiveLogout, signOutUpstream } from './logout.ts'

export const ssoLogoutHandlers: Handlers<typeof ssoLogoutContract> = {
  signOutSso: async ({ scope, caller, body }) => ({
    url: await signOutUpstream(scope, caller, body.callbackURL),
    redirect: true as const,
  }),
  samlLogout: async ({ scope, params, query, request }) =>
    redirectToOutcome(
      scope,
      await receiveLogout(scope, params.providerId, query, new URL(request.url).search.slice(1)),
    ),
  samlLogoutForm: async ({ scope, params, body }) =>
    redirectToOutcome(scope, await receiveLogout(scope, params.providerId, body, null)),
}
