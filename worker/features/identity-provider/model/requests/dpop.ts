import { calculateJwkThumbprint, EmbeddedJWK } from 'jose'
import type { Scope } from '../../../../identity/scope.ts'
import { endpointUrl } from '../../../../identity/settings.ts'
import { verifyForeignJwt } from '../../../../kit/foreign-jwt.ts'
import { deriveKey, equalSecrets, hmac, sha256 } from '../../../../kit/hash.ts'
import { minutes, ms } from '../../../../kit/time.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import type { Client } from '../clients/client.ts'
import { acceptedAlgorithms, isFapi } from '../protocol/security-profile.ts'

export const proofAlgorithms = ['ES256', 'EdDSA', 'RS256', 'PS256']

/** Maximum age of a proof. */
const window = minutes(2)

const refused = (detail: string) => oauthError('invalid_dpop_proof', 'invalid DPoP proof', { detail })

/**
 * Verifies the proof of a request (RFC 9449, section 4.3). @param accessToken the token that the proof has to name
 * @returns the key's thumbprint (RFC 7638); null without a proof @throws invalid_dpop_proof
 */
export async function verifyProof(scope: Scope, accessToken?: string): Promise<string | null> {
  const proof = scope.request.headers.get('dpop')
  if (proof === null) return null
  const { payload, protectedHeader } = await verifyForeignJwt(proof, EmbeddedJWK, {
    typ: 'dpop+jwt',
    algorithms: acceptedAlgorithms(scope, proofAlgorithms),
    requiredClaims: ['jti', 'htm', 'htu', 'iat'],
    currentDate: scope.now(),
  }).catch((thrown: Error) => {
    throw refused(thrown.message)
  })
  const { htm, htu, iat, jti, ath, nonce } = payload
  if ('d' in protectedHeader.jwk!) throw refused('it carries a private key')
  if (typeof jti !== 'string') throw refused('its jti is not a text')
  if (htm !== scope.request.method) throw refused('it is for another method')
  if (typeof htu !== 'string' || !isThisAddress(scope, htu)) throw refused('it is for another address')
  if (scope.now().getTime() / 1000 - iat! > window) throw refused('it is too old')
  if (accessToken !== undefined && ath !== sha256(accessToken)) throw refused('it is for another token')
  if (identityProviderOptions.of(scope).requireDPoPNonce && !isCurrentNonce(scope, nonce)) {
    const headers = { 'dpop-nonce': nonceAt(scope, 0), 'access-control-expose-headers': 'DPoP-Nonce' }
    throw oauthError('use_dpop_nonce', 'the proof needs the nonce of the header DPoP-Nonce', { headers })
  }
  const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk!)
  const { allowed } = await scope.counters.hit(`dpop:${thumbprint}:${jti}`, { max: 1, window: 2 * window })
  if (!allowed) throw refused('it has been used before')
  return thumbprint
}

/**
 * A nonce (RFC 9449, section 8) is an HMAC of the period of its issue, so that nothing is stored for one. It is accepted
 * in its period and the next one.
 */
function nonceAt(scope: Scope, periodsAgo: 0 | 1): string {
  const period = Math.floor(scope.now().getTime() / ms(window)) - periodsAgo
  return hmac(deriveKey(scope.settings.secrets[0], 'dpop-nonce'), `dpop-nonce:${period}`)
}

const isCurrentNonce = (scope: Scope, nonce: unknown): boolean =>
  typeof nonce === 'string' && ([0, 1] as const).some((ago) => equalSecrets(nonce, nonceAt(scope, ago)))

/** RFC 9449, section 4.2: without query and fragment, compared after normalisation. */
function isThisAddress(scope: Scope, htu: string): boolean {
  if (!URL.canParse(htu)) return false
  const { origin, pathname } = new URL(htu)
  return `${origin}${pathname}` === endpointUrl(scope, scope.request.path)
}

/** The key that a token request binds its tokens to. @throws invalid_dpop_proof if the client requires a proof */
export async function readProof(scope: Scope, client: Client): Promise<string | null> {
  const thumbprint = await verifyProof(scope)
  if (thumbprint === null && (isFapi(scope) || client.registration.dpop_bound_access_tokens)) {
    throw refused('it is missing')
  }
  return thumbprint
}
