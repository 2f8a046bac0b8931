import type { Scope } from '../../../identity/scope.ts'
import { withQuery } from '../../../kit/urls.ts'
import type { ProvenIdentity } from '../match-person.ts'
import type { AuthorizationState } from '../state.ts'
import { letWait } from './waiting.ts'

/** The app's screen that asks. */
const screen = '/sign-in/address'

/**
 * Somebody has come by a provider that tells no address, and is not known here: the identity waits in this browser
 * until they have proven one.
 * @returns where the browser goes
 */
export async function askForAddress(
  scope: Scope,
  { providerId, person, tokens }: ProvenIdentity,
  { name, mayCreate, state }: { name: string; mayCreate: boolean; state: AuthorizationState },
): Promise<string> {
  const { accessToken, refreshToken, idToken, accessTokenExpiresAt, refreshTokenExpiresAt, scopes, kept } = tokens
  await letWait(scope, {
    providerId,
    providerName: name,
    person: { ...person, extra: {} },
    tokens: { accessToken, refreshToken, idToken, accessTokenExpiresAt, refreshTokenExpiresAt, scopes, kept },
    mayCreate,
    callbackURL: state.callbackURL,
    newUserURL: state.newUserURL,
  })
  return withQuery(`${scope.settings.baseUrl}${screen}`, { callbackURL: state.callbackURL })
}
