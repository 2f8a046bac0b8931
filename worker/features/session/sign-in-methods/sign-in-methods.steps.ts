import type { IssuedSession, Proof } from '../../../identity/lifecycle.ts'
import type { Scope } from '../../../identity/scope.ts'
import { noteMethodUse } from './sign-in-methods.store.ts'

/** Sessions without a sign-in: a replaced token, or a transferred session. */
const notASignIn: readonly Proof[] = ['session', 'delegated']

/** Stores how a user has signed in, after the response. Nothing depends on it. */
export function noteSignIn(scope: Scope, { session, user, proven }: IssuedSession): void {
  const { method } = session
  if (method === null || notASignIn.includes(proven)) return
  scope.after(() => noteMethodUse(scope.db, user.id, method, session.createdAt).run())
}
