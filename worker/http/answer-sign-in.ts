import type { User } from '../identity/model/users.table.ts'
import type { Scope } from '../identity/scope.ts'
import type { SignInResult } from '../identity/sign-in/sign-in.ts'
import { missingFields } from '../identity/users/additional-fields.ts'
import { summarizeUser, type UserSummary } from '../identity/users/present-user.ts'
import { userOptions } from '../identity/users/users.config.ts'
import { withQuery } from '../kit/urls.ts'

/** `{ token, user }` of a sign-in. */
export interface SignedInAnswer {
  token: string
  user: UserSummary
}

/** The body of a sign-in: token and user, or the challenge. @param columns further columns of the user to show */
export function answerSignIn(
  scope: Scope,
  result: SignInResult,
  columns: (keyof User)[] = [],
): SignedInAnswer | Record<string, unknown> {
  if (result.kind === 'challenged') return result.challenge.answer
  return { token: result.session.token, user: summarizeUser(scope, result.user, columns) }
}

/** The redirect target after a sign-in with a `callbackURL`, which the edge has checked. */
export const continueTo = (callbackURL: string | undefined): { redirect?: true; url?: string } =>
  callbackURL ? { redirect: true, url: callbackURL } : {}

/** The target of a redirect after a sign-in, or first the screen that asks for missing required fields. */
export function welcomeTarget<T extends string | undefined>(scope: Scope, user: User, target: T): T | string {
  if (!target || target.startsWith('/')) return target
  const { additionalFields } = userOptions.of(scope)
  if (missingFields(additionalFields, user.additionalFields).length === 0) return target
  return withQuery(`${scope.settings.baseUrl}/welcome`, { callbackURL: target })
}
