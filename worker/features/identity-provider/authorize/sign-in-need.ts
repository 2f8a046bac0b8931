import type { Caller, Scope } from '../../../identity/scope.ts'
import { isHintedPerson } from '../model/grants/id-token.ts'
import { subjectOf } from '../model/grants/subjects.ts'
import { authenticationOf, isRecent, reachesClass } from '../model/protocol/authentication.ts'
import { readClaims } from '../model/protocol/requested-claims.ts'
import type { AuthorizationRequest } from '../model/requests/authorization-request.ts'
import { readLoginPrompt } from './login-prompt.ts'

/**
 * What a session lacks for a request:
 *
 * - `sign-in`: another account, or the same one again (`prompt=login`, `id_token_hint`)
 * - `step-up`: an authentication of this user that is more recent or stronger (`max_age`, `acr_values`)
 * - `foreign`: the user who signed in for this request is not the one in the hint; a new prompt could repeat without
 *   end
 * - `unmet`: the authentication for this request was too weak; a new prompt could repeat without end
 */
export type SignInNeed = 'nothing' | 'sign-in' | 'step-up' | 'foreign' | 'unmet'

/**
 * Compares the session with `prompt`, `max_age`, `acr_values` and `id_token_hint` (OpenID Connect Core, section 3.1.2.1).
 * An authentication after the login prompt satisfies `prompt` and `max_age`. A hint that is no longer readable asks for
 * one sign-in only.
 */
export async function signInNeed(
  scope: Scope,
  { given, client }: AuthorizationRequest,
  { session, user }: Caller,
  prompts: readonly string[],
  url: string,
): Promise<SignInNeed> {
  const waiting = readLoginPrompt(scope)
  const authenticated = authenticationOf(session, user)
  const hasJustAuthenticated = waiting?.url === url && authenticated.authTime >= waiting.at
  if (given.id_token_hint) {
    const isTheirs = await isHintedPerson(scope, given.id_token_hint, client, user)
    if (isTheirs === false && hasJustAuthenticated) return 'foreign'
    if (isTheirs !== true && !hasJustAuthenticated) return 'sign-in'
  }
  const claimed = readClaims(given.claims)
  if (claimed?.sub !== undefined && claimed.sub !== (await subjectOf(scope, user.id, client))) {
    return hasJustAuthenticated ? 'foreign' : 'sign-in'
  }
  const classes = given.acr_values ?? claimed?.acrValues
  if (hasJustAuthenticated) return reachesClass(authenticated, classes) ? 'nothing' : 'unmet'
  if (prompts.includes('login')) return 'sign-in'
  const maxAge = given.max_age === undefined ? undefined : Number(given.max_age)
  const isEnough = isRecent(authenticated, maxAge, scope.now()) && reachesClass(authenticated, classes)
  return isEnough ? 'nothing' : 'step-up'
}
