import type { SessionRead } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { reasonOf } from '../../platform/log.ts'
import { currentToken } from './jwt.ts'
import { warmSigningKey } from './signing-keys.ts'

const exposed = 'access-control-expose-headers'

/** A token beside the session, which get-session has for nothing. Without it the session is still the session. */
export async function exposeJwt(scope: Scope, read: SessionRead): Promise<void> {
  try {
    scope.headers.set('set-auth-jwt', await currentToken(scope, read))
    // What a bearer caller gets names it already.
    if (!scope.headers.has(exposed)) scope.headers.set(exposed, 'set-auth-jwt')
  } catch (thrown) {
    scope.log('error', 'jwt-not-issued', { reason: reasonOf(thrown) })
  }
}

/** Whoever has just signed in reads their session next: the key is there by then. */
export function loadSigningKey(scope: Scope): void {
  scope.after(() => warmSigningKey(scope))
}
