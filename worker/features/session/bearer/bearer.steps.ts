import { bookmarkHeader } from '../../../http/open-scope.ts'
import type { Claim } from '../../../identity/caller.ts'
import type { SignInAttempt } from '../../../identity/lifecycle.ts'
import type { Scope } from '../../../identity/scope.ts'
import { readBearerToken } from '../../../identity/sessions/bearer-token.ts'
import { claimByToken } from '../../../identity/sessions/sessions.ts'

/** A signed bearer token. */
export function claimByBearer(scope: Scope): Claim | null {
  const token = readBearerToken(scope)
  return token ? claimByToken(scope, token, 'bearer') : null
}

/** Sign-ins with a proof are few. A rotation keeps the key of the session. */
export async function bindIfProved(scope: Scope, attempt: SignInAttempt): Promise<null> {
  if (attempt.method === 'rotation' || !scope.request.headers.has('dpop')) return null
  await (await import('./bind-token.ts')).bindToken(scope, attempt)
  return null
}

/** Sends callers without a cookie jar the token, in the form of the cookie. */
export function exposeToken(scope: Scope, signedToken: string): void {
  scope.response.headers.set('set-auth-token', signedToken)
  scope.response.headers.set(
    'access-control-expose-headers',
    `set-auth-token, set-auth-jwt, x-retry-after, x-request-id, ${bookmarkHeader}`,
  )
}
