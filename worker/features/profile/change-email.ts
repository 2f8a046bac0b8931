import { messageOptions } from '../../identity/messages/messages.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { emailVerificationOptions, userOptions } from '../../identity/settings.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import { askToChange, userChanged } from '../../identity/users/users.ts'
import {
  addressChangeStatements,
  mailVerification,
  newAddressStatements,
} from '../../identity/verifications/email-mails.ts'
import { spendGuess } from '../../identity/verifications/guesses.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { runBatch } from '../../platform/statements.ts'
import { profileErrors as errors } from './profile.errors.ts'
import { replaceUnverifiedEmail } from './profile.store.ts'

/**
 * Changes the caller's address. An unverified one is replaced at once; a verified one by the link that is mailed to it.
 * The strict profile tells nobody who has an address: there the new one is taken when a link was followed that was
 * mailed to it, after the one in force where that is verified.
 * @throws see the contract
 */
export async function changeEmail(
  scope: Scope,
  caller: Caller,
  { newEmail, callbackURL }: { newEmail: string; callbackURL?: string | undefined },
): Promise<void> {
  if (!userOptions.of(scope).changeEmail.enabled) throw errors.CHANGE_EMAIL_IS_DISABLED()
  const email = newEmail.toLowerCase()
  const { user } = caller
  if (email === user.email) throw errors.EMAIL_IS_THE_SAME()
  const needsMail = user.emailVerified || scope.settings.profile === 'strict'
  if (needsMail && !emailVerificationOptions.of(scope).enabled) throw errors.VERIFICATION_EMAIL_ISNT_ENABLED()
  await askToChange(scope, user, { email })
  // A mail to a stranger in our name: what is not sent costs nothing.
  const sending = await spendGuess(scope, `address-change:${user.id}`, messageOptions.of(scope).addressChangesPerPerson)
  try {
    await change(scope, caller, email, callbackURL)
  } catch (thrown) {
    scope.after(() => sending.giveBack())
    throw thrown
  }
}

/** @throws COULDNT_UPDATE_YOUR_EMAIL */
async function change(scope: Scope, caller: Caller, email: string, callbackURL?: string): Promise<void> {
  const { user } = caller
  const verification = emailVerificationOptions.of(scope)
  if (scope.settings.profile === 'strict') {
    const statements = user.emailVerified ? addressChangeStatements : newAddressStatements
    await runBatch(scope.db, await statements(scope, user, email, callbackURL))
    return
  }
  // Whether the address is free is told in both branches; for the first the statement decides, not this look.
  if (await findUserByEmail(scope.db, email)) throw errors.COULDNT_UPDATE_YOUR_EMAIL()
  if (user.emailVerified) {
    await runBatch(scope.db, await addressChangeStatements(scope, user, email, callbackURL))
    return
  }

  const changed = await replaceUnverifiedEmail(scope, user, email).catch((thrown) => {
    if (isUniqueViolation(thrown)) return null
    throw thrown
  })
  if (!changed) throw errors.COULDNT_UPDATE_YOUR_EMAIL()
  refreshSessionCookies(scope, caller, changed)
  if (verification.enabled && verification.sendOnSignUp) await mailVerification(scope, changed, callbackURL)
  await userChanged(scope, changed)
}
