import { welcomeTarget } from '../../../http/answer-sign-in.ts'
import { accountOptions } from '../../../identity/accounts/accounts.config.ts'
import type { Scope } from '../../../identity/scope.ts'
import { withQuery } from '../../../kit/urls.ts'
import { askForAddress } from '../address/waiting.ts'
import type { CallbackOutcome } from '../model/callback-outcome.ts'
import { type ConfiguredProvider, mayCreateUser } from '../model/configured-provider.ts'
import { type ProvenIdentity, signInByIdentity } from '../model/sign-in-by-identity.ts'
import type { AuthorizationState } from '../model/state.ts'
import { handOver } from '../proxy/proxy.ts'

/** Signs in the user of an identity, or creates one. */
export async function finishSignIn(
  scope: Scope,
  { provider, options }: ConfiguredProvider,
  state: AuthorizationState,
  identity: ProvenIdentity,
  noEmail: string,
): Promise<CallbackOutcome> {
  const mayCreate = mayCreateUser(options, state.requestSignUp)
  const overrideUserInfo = options.overrideUserInfoOnSignIn
  const signIn = await signInByIdentity(scope, identity, { mayCreate, overrideUserInfo })
  if (signIn.kind === 'refused') {
    if (signIn.reason !== 'email_not_found') return { error: signIn.reason }
    // The cookie of a waiting identity does not reach the browser of another deployment.
    if (state.proxied || !accountOptions.of(scope).askForEmail) return { error: noEmail }
    return { to: await askForAddress(scope, identity, { name: provider.name, mayCreate, state }) }
  }
  const { result, isNew } = signIn
  const target = (isNew ? state.newUserURL : undefined) ?? state.callbackURL
  if (state.proxied) {
    // The state cookie does not prove that this browser started the sign-in, so this browser gets no session.
    scope.response.cookies.withdraw()
    scope.response.headers.delete('set-auth-token')
    if (result.kind === 'challenged') {
      return { error: 'unable_to_create_session', detail: 'a second factor needs one deployment' }
    }
    return { to: await handOver(scope, { ...state.proxied, callbackURL: target }, result.session.token) }
  }
  // The app's screen asks for the second factor and then goes to the target in its query.
  if (result.kind === 'challenged') {
    return { to: withQuery(`${scope.settings.baseUrl}/two-factor`, { callbackURL: target }) }
  }
  return { to: welcomeTarget(scope, result.user, target) }
}
