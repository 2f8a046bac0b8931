import { eq, sql } from 'drizzle-orm'
import { withQuery } from '../../kit/urls.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { Statement } from '../../platform/statements.ts'
import { landingFor } from '../pages.ts'
import type { Scope } from '../scope.ts'
import { basePath, emailVerificationOptions } from '../settings.ts'
import { draftChange, prolongChange, rememberChange } from '../users/address-changes.ts'
import { type User, users } from '../users/users.table.ts'
import { signVerificationToken } from './email-token.ts'
import { addressChangeMail, newAddressMail, verificationMail } from './verification.mails.ts'

type Change = Parameters<typeof signVerificationToken>[2]

/** Where the caller named no place, the link leads to the page for it. */
async function verificationLink(scope: Scope, user: User, callbackURL?: string, change?: Change) {
  const token = await signVerificationToken(scope, user, change)
  const url = withQuery(`${scope.settings.baseUrl}${basePath}/verify-email`, {
    token,
    callbackURL: landingFor(scope, 'verifyEmail', callbackURL),
  })
  return { url, expiresIn: emailVerificationOptions.of(scope).expiresIn }
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

/** For a batch: remembers a change of address, and mails the address in force a link that confirms it. */
export async function addressChangeStatements(
  scope: Scope,
  user: User,
  newEmail: string,
  callbackURL?: string,
): Promise<Statement[]> {
  const change = draftChange(scope, user, newEmail)
  const link = await verificationLink(scope, user, callbackURL, { updateTo: newEmail, changeId: change.id })
  return [rememberChange(scope.db, change), ...(await scope.mailTask(addressChangeMail(scope, user, newEmail, link)))]
}

/**
 * For a batch: mails the new address a link that makes it the user's. Where somebody has that address already nothing
 * is sent, and whoever asked is not told.
 * @param changeId of the change that was confirmed by the address in force; without one, a change begins
 */
export async function newAddressStatements(
  scope: Scope,
  user: User,
  newEmail: string,
  callbackURL?: string,
  changeId?: string,
): Promise<Statement[]> {
  const change = draftChange(scope, user, newEmail)
  const claims = { updateTo: newEmail, provesNew: true, changeId: changeId ?? change.id }
  const link = await verificationLink(scope, user, callbackURL, claims)
  const isFree = sql`not exists (select 1 from ${users} where ${eq(users.email, newEmail)})`
  return [
    ...(changeId === undefined ? [rememberChange(scope.db, change)] : prolongChange(scope, user.id, changeId)),
    ...(await scope.mailTask(newAddressMail(scope, user, newEmail, link), isFree)),
  ]
}
