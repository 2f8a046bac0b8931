import { answerSignIn } from '../../../http/answer-sign-in.ts'
import { onwardPage } from '../../../http/pages/onward-page.ts'
import type { Handlers } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { SignInResult } from '../../../identity/sign-in/sign-in.ts'
import { anyConfiguredProvider, configuredProvider } from '../find-provider.ts'
import { startAuthorization } from '../model/authorization.ts'
import { type ConfiguredProvider, mayCreateUser } from '../model/configured-provider.ts'
import { type GivenIdToken, readGivenIdToken } from '../model/given-id-token.ts'
import { refusalErrors, requireSignIn } from '../model/sign-in-by-identity.ts'
import { socialErrors as errors } from '../model/social.errors.ts'
import type { signInContract } from './sign-in.contract.ts'

/** Signs in by an id token. */
async function signInByIdToken(
  scope: Scope,
  configured: ConfiguredProvider,
  given: GivenIdToken,
  requestSignUp: boolean | undefined,
): Promise<SignInResult> {
  const { provider, options } = configured
  const identity = { providerId: provider.id, ...(await readGivenIdToken(scope, configured, given)) }
  const mayCreate = mayCreateUser(options, requestSignUp)
  const rules = { mayCreate, overrideUserInfo: options.overrideUserInfoOnSignIn }
  const { result } = await requireSignIn(scope, identity, rules, refusalErrors)
  return result
}

export const signInHandlers: Handlers<typeof signInContract> = {
  signInSocial: async ({ scope, body }) => {
    const configured = configuredProvider(scope, body.provider)
    if (!configured) throw errors.PROVIDER_NOT_FOUND()
    if (!body.idToken) {
      return { url: await startAuthorization(scope, configured, body), redirect: !body.disableRedirect }
    }
    const result = await signInByIdToken(scope, configured, body.idToken, body.requestSignUp)
    return { ...(result.kind === 'signed-in' ? { redirect: false } : {}), ...answerSignIn(scope, result) }
  },
  // A page that leads on: the Content Security Policy of the sign-in allows no redirect of a form to other sites.
  signInAtProvider: async ({ scope, body: { provider, callbackURL } }) => {
    const configured = await anyConfiguredProvider(scope, provider)
    if (!configured) throw errors.PROVIDER_NOT_FOUND()
    const query = callbackURL ? `?callbackURL=${encodeURIComponent(callbackURL)}` : ''
    const request = { callbackURL: callbackURL || '/account/profile', errorCallbackURL: `/sign-in${query}` }
    return onwardPage(scope, await startAuthorization(scope, configured, request))
  },
}
