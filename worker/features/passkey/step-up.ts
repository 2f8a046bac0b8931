import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { validate } from '../../http/body.ts'
import { hasSecondFactor } from '../../identity/registry.ts'
import type { Caller, Scope, StepUpFactor } from '../../identity/scope.ts'
import { amrOfPasskey } from '../../identity/sessions/amr.ts'
import { stepUpErrors as errors } from '../../identity/sign-in/step-up.errors.ts'
import { completeStepUp } from '../../identity/sign-in/step-up.ts'
import { assertionUse, beginCeremony, verifyPasskeyAssertion } from './authentication.ts'
import { claimChallenge, onClaimed } from './challenges.ts'
import { demandsVerification } from './credentials.ts'
import { passkeyOptions } from './passkey.config.ts'
import { authenticationResponse, type RequestOptions } from './passkey.contract.ts'
import { findByCredential, hasPasskey, recordPasskeyUse } from './passkey.store.ts'

const ceremony = 'passkey-step-up'

/** A user with a second factor needs a passkey that verifies its user, because it proves both factors. */
const requiresVerification = (scope: Scope, { user }: Caller): boolean =>
  demandsVerification(scope) || hasSecondFactor(scope, user)

/** The options contain only the caller's own passkeys. */
export const beginStepUp = (scope: Scope, caller: Caller): Promise<RequestOptions> =>
  beginCeremony(scope, ceremony, caller.user, requiresVerification(scope, caller) ? 'required' : undefined)

/** After a password, a key that does not verify its user is the second factor. */
function amrAfter(
  scope: Scope,
  { session }: Caller,
  { credentialDeviceType, userVerified }: { credentialDeviceType: string; userVerified: boolean },
): string[] {
  const afterPassword = passkeyOptions.of(scope).secondFactor && session.amr.includes('pwd')
  const own = amrOfPasskey(credentialDeviceType === 'multiDevice', userVerified || afterPassword)
  return afterPassword ? ['pwd', ...own] : own
}

/** A passkey of the caller. @throws CHALLENGE_NOT_FOUND, AUTHENTICATION_FAILED */
export const passkeyFactor: StepUpFactor = {
  method: 'passkey',
  factor: 'both',
  isSecondFactor: (scope) => passkeyOptions.of(scope).secondFactor,
  has: hasPasskey,
  async verify(scope: Scope, caller: Caller, input: { response: unknown }) {
    const response = validate(authenticationResponse, input.response, 'body') as AuthenticationResponseJSON
    const claimed = await claimChallenge(scope, ceremony, response.response.clientDataJSON)
    if (claimed.kind !== 'claimed') throw errors.CHALLENGE_NOT_FOUND()
    return onClaimed(scope, ceremony, claimed, async () => {
      const found = await findByCredential(scope.db, response.id)
      if (claimed.userId !== caller.user.id || found?.user.id !== caller.user.id) {
        throw errors.AUTHENTICATION_FAILED({ detail: 'the challenge or the passkey belongs to another user' })
      }
      const { passkey } = found
      const shown = await verifyPasskeyAssertion(
        scope,
        response,
        passkey,
        claimed.challenge,
        requiresVerification(scope, caller),
      )
      return completeStepUp(scope, caller, {
        method: 'passkey',
        amr: amrAfter(scope, caller, shown),
        use: (work) => recordPasskeyUse(scope.db, work, passkey, assertionUse(scope, shown)),
        late: errors.AUTHENTICATION_FAILED,
      })
    })
  },
}
