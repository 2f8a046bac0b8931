import { AppError } from '../../kit/errors.ts'
import { isUnmetDemand, runBatch, type Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import { refreshSessionCookies } from '../sessions/sessions.ts'
import { emailVerificationOptions } from '../settings.ts'
import { completeSignIn, type SignInResult } from '../sign-in.ts'
import { proveAddress } from './prove-address.ts'
import { clearSignUpMark, hasSignedUpHere } from './sign-up-mark.ts'
import type { User } from './users.table.ts'

/** How the confirmation of an address ended. */
export interface ConfirmedAddress {
  user: User
  /** The sign-in that the configuration adds; null where there is none. */
  signIn: SignInResult | null
}

/**
 * Confirms the address of somebody who was mailed a link or a code to verify it, if it is not verified yet. In the
 * browser that holds the account's session, or that made the account, nothing else changes. Anywhere else the proof
 * ends the other ways in (prove-address.ts); a link leaves the password, which whoever signed up has just chosen.
 * @param by a link is followed wherever the mail is read, so in the strict profile it signs nobody in by itself
 * @param use of the code, for the same batch
 * @returns null when the address was verified or changed in the meantime
 */
export async function confirmAddress(
  scope: Scope,
  user: User,
  { by, use = [] }: { by: 'link' | 'code'; use?: readonly Statement[] },
): Promise<ConfirmedAddress | null> {
  const caller = await scope.caller()
  const holdsSession = caller?.user.id === user.id
  const isKnownHere = holdsSession || hasSignedUpHere(scope, user)
  const proven = proveAddress(scope, user, isKnownHere ? 'keep' : { password: by === 'link' })
  const alongside = [...use, ...proven.statements]
  const { autoSignInAfterVerification } = emailVerificationOptions.of(scope)
  const signsIn =
    autoSignInAfterVerification &&
    !holdsSession &&
    (isKnownHere || by === 'code' || scope.settings.profile !== 'strict')
  try {
    const signIn = signsIn ? await tryToSignIn(scope, proven.user, alongside) : null
    if (!signIn) await runBatch(scope.db, alongside)
    await proven.written()
    clearSignUpMark(scope)
    if (holdsSession) {
      refreshSessionCookies(scope, caller, proven.user)
      if (caller.via === 'cookie') rememberDevice(scope, proven.user, 'possession')
    }
    return { user: proven.user, signIn }
  } catch (thrown) {
    if (isUnmetDemand(thrown)) return null
    throw thrown
  }
}

/** Whoever may not sign in, such as a banned person, still has a verified address: null, and nothing is written yet. */
async function tryToSignIn(scope: Scope, user: User, alongside: readonly Statement[]): Promise<SignInResult | null> {
  try {
    return await completeSignIn(scope, { user, method: 'email-verification', proven: 'possession', alongside })
  } catch (thrown) {
    if (thrown instanceof AppError) return null
    throw thrown
  }
}
