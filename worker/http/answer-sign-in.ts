import type { Scope } from '../identity/scope.ts'
import type { SignInResult } from '../identity/sign-in.ts'
import { summarizeUser, type UserSummary } from '../identity/users/present-user.ts'
import type { User } from '../identity/users/users.table.ts'

/** `{ token, user }` of a sign-in: the cookies are in the scope already. */
export interface SignedInAnswer {
  token: string
  user: UserSummary
}

/**
 * The body that ends a sign-in: the session's token and its user, or what a feature asks for instead
 * (`{ twoFactorRedirect: true }`).
 * @param also columns of the user that this way of signing in shows besides
 */
export function answerSignIn(
  scope: Scope,
  result: SignInResult,
  also: (keyof User)[] = [],
): SignedInAnswer | Record<string, unknown> {
  if (result.kind === 'challenged') return result.challenge.answer
  return { token: result.session.token, user: summarizeUser(scope, result.user, also) }
}
