import type { IssuedSession, Proof, ReactionsOf } from '../../../identity/lifecycle.ts'
import type { Scope } from '../../../identity/scope.ts'
import { isGuest } from '../../../identity/users/guests.ts'
import { followUser, forgetUser, rememberAccount } from './known-accounts.ts'

/** Sessions without a sign-in in this browser. */
const notASignIn: readonly Proof[] = ['session', 'delegated']

/** A sign-in adds the account to the list of the browser, unless the user does not want to stay signed in here. */
export async function keepAccount(scope: Scope, issued: IssuedSession): Promise<void> {
  const { session, user, proven, rememberMe, inCookies, credentialId } = issued
  if (!inCookies || notASignIn.includes(proven) || session.impersonatedBy) return
  if (!rememberMe || isGuest(user) || session.method === null) return forgetUser(scope, user.id)
  await rememberAccount(scope, user, session.method, credentialId)
}

/** Changes that reach the browser of the list. In other browsers the account is as an unknown one. */
export const followAccounts: ReactionsOf<Scope> = {
  'user.updated': followUser,
  'user.deleted': (scope, { id }) => forgetUser(scope, id),
  'password.reset': (scope, { id }) => forgetUser(scope, id),
}
