import type { SessionReadWithText } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { reasonOf } from '../../platform/log.ts'
import { currentToken, mayHaveToken } from './jwt.ts'
import { warmSigningKey } from './signing-keys.ts'

const exposed = 'access-control-expose-headers'

/** A token in addition to the session, without extra I/O in get-session. If it fails, the session is still returned. */
export async function exposeJwt(scope: Scope, read: SessionReadWithText): Promise<void> {
  if (!mayHaveToken(scope, read)) return
  try {
    scope.response.headers.set('set-auth-jwt', await currentToken(scope, read))
    // The response to a bearer caller already contains it.
    if (!scope.response.headers.has(exposed)) scope.response.headers.set(exposed, 'set-auth-jwt')
  } catch (thrown) {
    scope.log('error', 'jwt-not-issued', { reason: reasonOf(thrown) })
  }
}

/** A client reads its session right after a sign-in. The key is loaded by then. */
export function loadSigningKey(scope: Scope): void {
  scope.after(() => warmSigningKey(scope))
}
