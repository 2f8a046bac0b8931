import { AppError } from '../../kit/errors.ts'
import { emailVerificationOptions } from '../accounts/accounts.config.ts'
import { proveAddress } from '../accounts/prove-address.ts'
import type { User } from '../model/users.table.ts'
import { appointsAdministrator } from '../registry.ts'
import type { Scope } from '../scope.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import { refreshSessionCookies } from '../sessions/sessions.ts'
import { unitOfWork } from '../unit-of-work.ts'
import type { BatchError, SingleUse, Work } from '../work.ts'
import { completeSignIn, type SignInResult } from './sign-in.ts'
import { clearSignUpMark, hasSignedUpHere } from './sign-up-mark.ts'

/** The outcome of a confirmation. */
export interface ConfirmedAddress {
  user: User
  /** The sign-in that the configuration adds; null if it adds no sign-in. */
  signIn: SignInResult | null
}

/**
 * Confirms an unverified address of a user who received a link or a code (decision 250). A link proves the address and
 * ends nothing: users open it where they read their mail. A code ends the other access, except in the browser that has
 * the account's session or created the account. A link signs in only in such a browser; a code does where it is typed.
 * @param use of the code, for the same batch
 * @throws `stale` if the code was used, or the address was verified or changed since the read
 */
export async function confirmAddress(
  scope: Scope,
  user: User,
  { by, use, stale }: { by: 'link' | 'code'; use?: SingleUse; stale: BatchError },
): Promise<ConfirmedAddress> {
  const caller = await scope.caller()
  const holdsSession = caller?.user.id === user.id
  const isKnownHere = holdsSession || hasSignedUpHere(scope, user)
  const late = await stale()
  const keeps = isKnownHere || (by === 'link' && !appointsAdministrator(scope, user.email))
  const verify = () => {
    const work = unitOfWork(scope, () => late)
    if (use) work.use(use)
    return { work, proven: proveAddress(scope, work, user, keeps ? 'keep' : {}) }
  }
  let { work, proven } = verify()
  const { autoSignInAfterVerification } = emailVerificationOptions.of(scope)
  const signsIn = autoSignInAfterVerification && !holdsSession && (isKnownHere || by === 'code')
  const signIn = signsIn ? await tryToSignIn(scope, proven, work, late) : null
  if (!signIn) {
    // A rejected sign-in has added its writes to the unit.
    if (signsIn) ({ work, proven } = verify())
    await work.commit()
  }
  if (isKnownHere) clearSignUpMark(scope)
  if (holdsSession) {
    refreshSessionCookies(scope, caller, proven)
    if (caller.via === 'cookie') rememberDevice(scope, proven, 'possession')
  }
  return { user: proven, signIn }
}

/** @returns null without a write for a user who may not sign in, such as a banned one: only the address is verified */
async function tryToSignIn(scope: Scope, user: User, work: Work, late: Error): Promise<SignInResult | null> {
  try {
    return await completeSignIn(scope, work, { user, method: 'email-verification', proven: 'possession' })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown !== late) return null
    throw thrown
  }
}
