import type { Scope } from '../../../../identity/scope.ts'
import { type DpopProof, proofWindow, readDpopProof, spendProof } from '../../../../identity/sessions/dpop.ts'
import { ProofRefused, proofAlgorithms } from '../../../../identity/sessions/dpop-challenge.ts'
import { deriveKey, equalSecrets, hmac, sha256 } from '../../../../kit/hash.ts'
import { ms } from '../../../../kit/time.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import type { Client } from '../clients/client.ts'
import { acceptedAlgorithms, isFapi } from '../protocol/security-profile.ts'

const refused = (detail: string) => oauthError('invalid_dpop_proof', 'invalid DPoP proof', { detail })

/**
 * Verifies the proof of a request (RFC 9449, section 4.3). @param accessToken the token that the proof has to name
 * @returns the key's thumbprint (RFC 7638); null without a proof @throws invalid_dpop_proof
 */
export async function verifyProof(scope: Scope, accessToken?: string): Promise<string | null> {
  try {
    const proof = await readDpopProof(scope, acceptedAlgorithms(scope, proofAlgorithms))
    if (proof === null) return null
    requireFit(scope, proof, accessToken)
    await spendProof(scope, proof)
    return proof.keyId
  } catch (thrown) {
    throw thrown instanceof ProofRefused ? refused(thrown.message) : thrown
  }
}

function requireFit(scope: Scope, { ath, nonce }: DpopProof, accessToken: string | undefined): void {
  if (accessToken !== undefined && ath !== sha256(accessToken)) throw refused('it is for another token')
  if (!identityProviderOptions.of(scope).requireDPoPNonce || isCurrentNonce(scope, nonce)) return
  const headers = { 'dpop-nonce': nonceAt(scope, 0), 'access-control-expose-headers': 'DPoP-Nonce' }
  throw oauthError('use_dpop_nonce', 'the proof needs the nonce of the header DPoP-Nonce', { headers })
}

/**
 * A nonce (RFC 9449, section 8) is an HMAC of the period of its issue, so that nothing is stored for one. It is accepted
 * in its period and the next one.
 */
function nonceAt(scope: Scope, periodsAgo: 0 | 1): string {
  const period = Math.floor(scope.now().getTime() / ms(proofWindow)) - periodsAgo
  return hmac(deriveKey(scope.settings.secrets[0], 'dpop-nonce'), `dpop-nonce:${period}`)
}

const isCurrentNonce = (scope: Scope, nonce: unknown): boolean =>
  typeof nonce === 'string' && ([0, 1] as const).some((ago) => equalSecrets(nonce, nonceAt(scope, ago)))

/** The key that a token request binds its tokens to. @throws invalid_dpop_proof if the client requires a proof */
export async function readProof(scope: Scope, client: Client): Promise<string | null> {
  const thumbprint = await verifyProof(scope)
  if (thumbprint === null && (isFapi(scope) || client.registration.dpop_bound_access_tokens)) {
    throw refused('it is missing')
  }
  return thumbprint
}
