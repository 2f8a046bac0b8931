import { answerSignIn } from '../../http/answer-sign-in.ts'
import { redirectTo, routes } from '../../http/routes.ts'
import { startAuthorization } from './authorization.ts'
import { configuredProvider } from './find-provider.ts'
import { startLink } from './link.ts'
import { presentAccess, presentTokens } from './present-tokens.ts'
import { signInByIdToken } from './sign-in.ts'
import { socialContract } from './social.contract.ts'
import { socialErrors as errors } from './social.errors.ts'
import { handleCallback, handlePostedCallback } from './social-callback.ts'
import { accountInfo, getAccessToken, refreshAccountTokens } from './tokens.ts'

export const socialRoutes = routes(socialContract, {
  signInSocial: async ({ scope, body }) => {
    const configured = configuredProvider(scope, body.provider)
    if (!configured) throw errors.PROVIDER_NOT_FOUND()
    if (!body.idToken) {
      return { url: await startAuthorization(scope, configured, body), redirect: !body.disableRedirect }
    }
    const result = await signInByIdToken(scope, configured, body.idToken, body.requestSignUp ?? false)
    return { ...(result.kind === 'signed-in' ? { redirect: false } : {}), ...answerSignIn(scope, result) }
  },
  callback: async ({ scope, params, query }) => redirectTo(await handleCallback(scope, params.id, query)),
  postedCallback: async ({ scope, params, query, body }) =>
    redirectTo(await handlePostedCallback(scope, params.id, { ...query, ...body })),
  linkSocial: async ({ scope, caller, body }) => {
    const configured = configuredProvider(scope, body.provider)
    if (!configured) throw errors.PROVIDER_NOT_FOUND()
    return { url: await startLink(scope, caller, configured, body), redirect: true }
  },
  getAccessToken: async ({ scope, caller, body }) => presentAccess(await getAccessToken(scope, caller.user.id, body)),
  refreshToken: async ({ scope, caller, body }) =>
    presentTokens(await refreshAccountTokens(scope, caller.user.id, body)),
  accountInfo: ({ scope, caller, body }) => accountInfo(scope, caller, body.accountId),
})
