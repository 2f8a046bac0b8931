/** What refusals of proofs (dpop.ts) need, without the code that verifies them. */

/** Asymmetric ones only (RFC 9449, section 4.2). */
export const proofAlgorithms: readonly string[] = ['ES256', 'EdDSA', 'RS256', 'PS256']

/** A proof is missing or invalid. The message completes "the proof is refused:". */
export class ProofRefused extends Error {
  override name = 'ProofRefused'
}

/** The value of WWW-Authenticate (RFC 9449, section 7.1), with the characters that RFC 6750, section 3, allows. */
export function dpopChallenge(reason: string): string {
  const text = reason.replaceAll(/["\\]/g, "'").replaceAll(/[^ -~]/g, '?')
  return `DPoP error="invalid_dpop_proof", error_description="${text}", algs="${proofAlgorithms.join(' ')}"`
}
