import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { SignInAttempt } from '../../identity/lifecycle.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { noteFailedSignIn } from '../../identity/security/sign-in-events.ts'
import { amrOf, amrOfPasskey } from '../../identity/sessions/amr.ts'
import { findWaiting } from '../two-factor/code-owner.ts'
import { endChallenge, type VerifiedFactor } from '../two-factor/finish.ts'
import { type Pending, readPending } from '../two-factor/pending.ts'
import { twoFactorErrors } from '../two-factor/two-factor.errors.ts'
import { assertionUse, beginCeremony, verifyPasskeyAssertion } from './authentication.ts'
import { claimChallenge, onClaimed } from './challenges.ts'
import { demandsVerification } from './credentials.ts'
import { passkeyOptions } from './passkey.config.ts'
import type { RequestOptions } from './passkey.contract.ts'
import { passkeyErrors as errors } from './passkey.errors.ts'
import { findByCredential, recordPasskeyUse, userHasPasskey } from './passkey.store.ts'

/** A passkey after a password (`passkey.secondFactor`). The two-factor feature keeps the sign-in that waits for it. */

const ceremony = 'passkey-second-factor'

/** `signingIn`: a user with a passkey needs it after a password. */
export async function askForPasskey(scope: Scope, attempt: SignInAttempt): Promise<null> {
  if (attempt.proven !== 'password' || !passkeyOptions.of(scope).secondFactor) return null
  scope.io.declare({ d1: 1 })
  if (await userHasPasskey(scope.db, attempt.user.id)) attempt.passkeyIsSecondFactor = true
  return null
}

/** The waiting sign-in of this browser, if a passkey completes it. @throws INVALID_TWO_FACTOR_COOKIE */
function waitingForPasskey(scope: Scope): Pending {
  const pending = readPending(scope)
  if (!pending?.passkey) throw twoFactorErrors.INVALID_TWO_FACTOR_COOKIE()
  return pending
}

/** The options contain only the passkeys of the user whose password was right. */
export async function beginSecondFactor(scope: Scope): Promise<RequestOptions> {
  const { user } = await findWaiting(scope, waitingForPasskey(scope))
  return beginCeremony(scope, ceremony, user)
}

/** @throws INVALID_TWO_FACTOR_COOKIE, CHALLENGE_NOT_FOUND, AUTHENTICATION_FAILED, FAILED_TO_CREATE_SESSION */
export async function finishSecondFactor(
  scope: Scope,
  response: AuthenticationResponseJSON,
  trustDevice: boolean | undefined,
): Promise<VerifiedFactor> {
  const pending = waitingForPasskey(scope)
  const claimed = await claimChallenge(scope, ceremony, response.response.clientDataJSON)
  if (claimed.kind !== 'claimed') throw errors.CHALLENGE_NOT_FOUND()
  return onClaimed(scope, ceremony, claimed, async () => {
    const [{ user, records }, found] = await Promise.all([
      findWaiting(scope, pending),
      findByCredential(scope.db, response.id),
    ])
    const { passkey, shown } = await verified(scope, user, claimed, response, found).catch((thrown) => {
      noteFailedSignIn(scope, { user, method: 'passkey' })
      throw thrown
    })
    const amr = [
      ...amrOf(pending.method, pending.shownMethod, 'password'),
      // The password is the other factor, so that the key does not need to verify its user.
      ...amrOfPasskey(shown.credentialDeviceType === 'multiDevice', true),
    ]
    const right = {
      ...{ record: records[0] ?? null, amr, late: errors.AUTHENTICATION_FAILED },
      use: (work: Parameters<typeof recordPasskeyUse>[1]) =>
        recordPasskeyUse(scope.db, work, passkey, assertionUse(scope, shown)),
    }
    return endChallenge(scope, user, pending, right, { trustDevice })
  })
}

async function verified(
  scope: Scope,
  user: User,
  claimed: { userId: string; challenge: string },
  response: AuthenticationResponseJSON,
  found: Awaited<ReturnType<typeof findByCredential>>,
) {
  if (claimed.userId !== user.id || found?.user.id !== user.id) {
    throw errors.AUTHENTICATION_FAILED({ detail: 'the challenge or the passkey belongs to another user' })
  }
  const { passkey } = found
  const demanded = demandsVerification(scope)
  return { passkey, shown: await verifyPasskeyAssertion(scope, response, passkey, claimed.challenge, demanded) }
}
