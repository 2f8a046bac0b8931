import { unsignValue } from '../../kit/cookies.ts'
import type { Scope } from '../scope.ts'
import { tokenCookie } from './session-cookies.ts'

/** The token of an `Authorization` header as it was sent: `Bearer`, or `DPoP` with a proof (RFC 9449, section 7.1). */
export function shownToken(scope: Scope): { scheme: 'bearer' | 'dpop'; text: string } | null {
  const [given, text] = (scope.request.headers.get('authorization') ?? '').split(' ')
  const scheme = given?.toLowerCase()
  return (scheme === 'bearer' || scheme === 'dpop') && text ? { scheme, text } : null
}

/**
 * The session token of an `Authorization` header with our signature; a token without it is rejected. The signature may be
 * percent-encoded, as in the cookie. A token that is not bound to a key needs no proof, with either scheme: a client that
 * begins to send proofs keeps its session.
 */
export function readBearerToken(scope: Scope): string | null {
  const presented = shownToken(scope)
  if (!presented) return null
  let signed = presented.text
  try {
    signed = decodeURIComponent(signed)
  } catch {
    return null
  }
  return unsignValue(scope.settings.secrets, tokenCookie, signed)
}
