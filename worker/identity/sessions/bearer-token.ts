import { unsignValue } from '../../kit/cookies.ts'
import type { Scope } from '../scope.ts'

/**
 * The session token of an `Authorization: Bearer` header, when it carries our signature: a bare token opens nothing.
 * The signature may be percent-encoded, as it is in the cookie.
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
  return unsignValue(scope.settings.secrets, signed)
}
