import type { Caller, Scope } from '../../identity/scope.ts'
import { isFresh } from '../../identity/sessions/sessions.ts'
import type { Access } from '../endpoint.ts'
import { httpErrors } from '../http.errors.ts'

/**
 * The caller that an endpoint asks for; null where it asks for none.
 * @throws UNAUTHORIZED, SESSION_IS_NOT_FRESH
 */
export async function requireAccess(scope: Scope, access: Access): Promise<Caller | null> {
  if (access === 'visitor') return null
  const caller = await scope.caller()
  if (!caller) throw httpErrors.UNAUTHORIZED()
  if (access === 'fresh-session' && !isFresh(scope, caller.session)) throw httpErrors.SESSION_IS_NOT_FRESH()
  return caller
}
