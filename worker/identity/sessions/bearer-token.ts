import { unsignValue } from '../../kit/cookies.ts'
import type { Scope } from '../scope.ts'
import { tokenCookie } from './session-cookies.ts'

/**
 * The session token of an `Authorization: Bearer` header with our signature; a token without it is rejected. The
 * signature may be percent-encoded, as in the cookie.
 */
export function readBearerToken(scope: Scope): string | null {
  const [scheme, given] = (scope.request.headers.get('authorization') ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !given) return null
  let signed = given
  try {
    signed = decodeURIComponent(given)
  } catch {
    return null
  }
  return unsignValue(scope.settings.secrets, tokenCookie, signed)
}
