import { emailVerificationOptions } from '../../identity/accounts/accounts.config.ts'
import { mailNewAddress, mailVerification, requestAddressChange } from '../../identity/accounts/email-mails.ts'
import { askToChange } from '../../identity/accounts/users.ts'
import { messageOptions } from '../../identity/messages/messages.config.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { userOptions } from '../../identity/users/users.config.ts'
import { findUserByEmail, withEmail } from '../../identity/users/users.store.ts'
import { spendGuess } from '../../identity/verifications/guesses.ts'
import { comparedAddress } from '../../kit/email-address.ts'
import { profileErrors as errors } from './profile.errors.ts'
import { replaceUnverifiedEmail } from './profile.store.ts'

/**
 * Changes the caller's address: an unverified one at once, a verified one by the link mailed to it. In the strict
 * profile the user also follows a link in the new mailbox, so that the response does not reveal other accounts.
 */
export async function changeEmail(
  scope: Scope,
  caller: Caller,
  { newEmail, callbackURL }: { newEmail: string; callbackURL?: string | undefined },
): Promise<void> {
  if (!userOptions.of(scope).changeEmail.enabled) throw errors.CHANGE_EMAIL_IS_DISABLED()
  const email = comparedAddress(newEmail)
  const { user } = caller
  if (email === user.email) throw errors.EMAIL_IS_THE_SAME()
  const needsMail = user.emailVerified || scope.settings.profile === 'strict'
  if (needsMail && !emailVerificationOptions.of(scope).enabled) throw errors.VERIFICATION_EMAIL_ISNT_ENABLED()
  await askToChange(scope, user, { email })
  // Limits mails to addresses of others. A mail that is not sent does not count.
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
  const work = unitOfWork(scope)
  if (scope.settings.profile === 'strict') {
    const request = user.emailVerified ? requestAddressChange : mailNewAddress
    await request(scope, work, user, email, callbackURL)
    return work.commit()
  }
  // Both branches reveal whether the address is free. In the second one the statement decides, not this read.
  if (await findUserByEmail(scope.db, email)) throw errors.COULDNT_UPDATE_YOUR_EMAIL()
  if (user.emailVerified) {
    await requestAddressChange(scope, work, user, email, callbackURL)
    return work.commit()
  }
  const changed = work
    .run(replaceUnverifiedEmail(scope.db, user, email, scope.now()))
    .orFail(errors.COULDNT_UPDATE_YOUR_EMAIL)
  // An unproven address may belong to someone else: its notice has no link that reverts the change.
  securityEvent(scope, work, { type: 'email-changed', user, sessionId: caller.session.id })
  announceUser(scope, work, 'user.updated', user.id, () => changed.rows, withEmail(email))
  work.unique('users.email', errors.COULDNT_UPDATE_YOUR_EMAIL)
  await work.commit()
  refreshSessionCookies(scope, caller, changed.row)
  const { enabled, sendOnSignUp } = emailVerificationOptions.of(scope)
  if (enabled && sendOnSignUp) await mailVerification(scope, changed.row, callbackURL)
}
