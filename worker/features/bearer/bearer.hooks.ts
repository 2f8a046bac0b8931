import type { IssuedSession } from '../../identity/lifecycle.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { readBearerToken } from '../../identity/sessions/bearer-token.ts'
import { findLiveSession } from '../../identity/sessions/sessions.ts'

/** Identifies the caller by a signed bearer token. */
export async function identifyByBearer(scope: Scope): Promise<Caller | null> {
  const token = readBearerToken(scope)
  const found = token ? await findLiveSession(scope, token) : null
  return found && { ...found, via: 'bearer' }
}

/** Tells callers without a cookie jar their token, as the cookie has it. */
export function exposeToken(scope: Scope, { signedToken }: IssuedSession): void {
  scope.headers.set('set-auth-token', signedToken)
  scope.headers.set('access-control-expose-headers', 'set-auth-token, set-auth-jwt, x-retry-after, x-request-id')
}
