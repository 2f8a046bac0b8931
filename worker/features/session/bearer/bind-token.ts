import type { SignInAttempt } from '../../../identity/lifecycle.ts'
import type { Scope } from '../../../identity/scope.ts'
import { newTokenKey } from '../../../identity/sessions/dpop.ts'
import { dpopChallenge, ProofRefused } from '../../../identity/sessions/dpop-challenge.ts'
import { proofErrors } from './bearer.errors.ts'

/** A sign-in whose request proves a key (RFC 9449) gets a token that is worthless without it. @throws INVALID_DPOP_PROOF */
export async function bindToken(scope: Scope, attempt: SignInAttempt): Promise<void> {
  try {
    attempt.deviceKey = await newTokenKey(scope)
  } catch (thrown) {
    if (!(thrown instanceof ProofRefused)) throw thrown
    const { message: detail } = thrown
    throw proofErrors.INVALID_DPOP_PROOF({ detail, headers: { 'www-authenticate': dpopChallenge(detail) } })
  }
}
