import { withQuery } from '../../kit/urls.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { basePath } from '../settings.ts'
import { findUserByEmail } from '../users/users.store.ts'
import type { User } from '../users/users.table.ts'
import { signVerificationToken } from './email-token.ts'
import { addressChangeMail, newAddressMail, verificationMail } from './verification.mails.ts'

/** Where a link leads when the caller named no place: the app's own landing screen. */
const landing = '/verify-email'

type Change = Parameters<typeof signVerificationToken>[2]

async function verificationLink(scope: Scope, user: User, callbackURL?: string, change?: Change): Promise<string> {
  const token = await signVerificationToken(scope, user, change)
  return withQuery(`${scope.settings.baseUrl}${basePath}/verify-email`, { token, callbackURL: callbackURL || landing })
}

/** Mails a link that verifies the user's address. */
export async function mailVerification(scope: Scope, user: User, callbackURL?: string): Promise<void> {
  await scope.mail(await verificationFor(scope, user, callbackURL))
}

/** For a batch: the same, and it cannot be lost. */
export async function verificationMailTask(scope: Scope, user: User, callbackURL?: string): Promise<Statement[]> {
  return scope.mailTask(await verificationFor(scope, user, callbackURL))
}

const verificationFor = async (scope: Scope, user: User, callbackURL?: string): Promise<Mail> =>
  verificationMail(scope, user, await verificationLink(scope, user, callbackURL))

/** Mails the current address a link that changes it to `newEmail`. */
export async function mailAddressChange(
  scope: Scope,
  user: User,
  newEmail: string,
  callbackURL?: string,
): Promise<void> {
  const url = await verificationLink(scope, user, callbackURL, { updateTo: newEmail })
  await scope.mail(addressChangeMail(scope, user, newEmail, url))
}

/**
 * Mails the new address a link that makes it the user's. Where somebody has that address already nothing is sent, and
 * whoever asked is not told.
 */
export async function mailNewAddress(scope: Scope, user: User, newEmail: string, callbackURL?: string): Promise<void> {
  const holder = await findUserByEmail(scope.db, newEmail)
  if (holder) return
  const url = await verificationLink(scope, user, callbackURL, { updateTo: newEmail, provesNew: true })
  await scope.mail(newAddressMail(scope, newEmail, url))
}
