import type { SessionRead } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { reasonOf } from '../../platform/log.ts'
import { currentToken } from './jwt.ts'
import { warmSigningKey } from './signing-keys.ts'

/** A token beside the session, which get-session has for nothing. Without it the session is still the session. */
export async function exposeJwt(scope: Scope, read: SessionRead): Promise<void> {
  try {
    scope.headers.set('set-auth-jwt', await currentToken(scope, read))
    scope.headers.append('access-control-expose-headers', 'set-auth-jwt')
  } catch (thrown) {
    scope.log('error', 'jwt-not-issued', { reason: reasonOf(thrown) })
  }
}

/** Whoever has just signed in reads their session next: the key is there by then. */
export function loadSigningKey(scope: Scope): void {
  scope.after(() => warmSigningKey(scope))
}
