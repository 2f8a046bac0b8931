import { answerSignIn } from '../../http/answer-sign-in.ts'
import { redirectTo, routes } from '../../http/routes.ts'
import { startAuthorization } from './authorization.ts'
import { configuredProvider } from './find-provider.ts'
import { startLink } from './link.ts'
import type { ProviderTokens } from './provider.ts'
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
  getAccessToken: async ({ scope, caller, body }) => {
    const { accessToken, accessTokenExpiresAt, scopes, idToken } = await getAccessToken(scope, caller, body)
    return {
      accessToken: accessToken!,
      ...(accessTokenExpiresAt && { accessTokenExpiresAt }),
      scopes,
      ...(idToken !== null && { idToken }),
    }
  },
  refreshToken: async ({ scope, caller, body }) => presentTokens(await refreshAccountTokens(scope, caller, body)),
  accountInfo: ({ scope, caller, body }) => accountInfo(scope, caller, body.accountId),
})

const presentTokens = (tokens: ProviderTokens) => ({
  accessToken: tokens.accessToken!,
  ...(tokens.refreshToken !== null && { refreshToken: tokens.refreshToken }),
  tokenType: tokens.tokenType,
  scopes: tokens.scopes,
  ...(tokens.accessTokenExpiresAt && { accessTokenExpiresAt: tokens.accessTokenExpiresAt }),
  ...(tokens.refreshTokenExpiresAt && { refreshTokenExpiresAt: tokens.refreshTokenExpiresAt }),
  ...(tokens.idToken !== null && { idToken: tokens.idToken }),
})
