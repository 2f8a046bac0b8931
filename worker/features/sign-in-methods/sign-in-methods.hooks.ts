import type { IssuedSession, Proof } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { noteUse } from './sign-in-methods.store.ts'

/** Sessions that nobody signed in for: a replaced token, one that was handed over. */
const notASignIn: readonly Proof[] = ['session', 'delegated']

/** Notes how somebody has signed in. The answer does not wait for it, and nothing depends on it. */
export function noteSignIn(scope: Scope, { session, user, proven }: IssuedSession): void {
  const { method } = session
  if (method === null || notASignIn.includes(proven)) return
  scope.after(() => noteUse(scope.db, user.id, method, session.createdAt).run())
}
