import { eq, sql } from 'drizzle-orm'
import { withQuery } from '../../kit/urls.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import { sendMailAfter } from '../messages/send.ts'
import { type User, users } from '../model/users.table.ts'
import { landingFor } from '../pages.ts'
import type { Scope } from '../scope.ts'
import { mailedLink } from '../verifications/mailed-links.ts'
import type { Work } from '../work.ts'
import { emailVerificationOptions } from './accounts.config.ts'
import { draftChange, prolongChange, rememberChange } from './address-changes.ts'
import { signVerificationToken } from './email-token.ts'
import { addressChangeMail, newAddressMail, verificationMail } from './verification.mails.ts'

type Change = Parameters<typeof signVerificationToken>[2]

type Purpose = 'change' | 'confirm'

/** The hosted screen needs the purpose: in another browser no session shows it. */
function withPurpose(scope: Scope, purpose: Purpose, given: string): string {
  const { baseUrl } = scope.settings
  const { origin, pathname, searchParams } = new URL(given, baseUrl)
  if (origin !== baseUrl || pathname !== '/verify-email' || searchParams.get('for') === purpose) return given
  return withQuery(pathname, { ...Object.fromEntries(searchParams), for: purpose })
}

/** Without a target of the caller, the link leads to the default page. */
async function verificationLink(scope: Scope, user: User, callbackURL?: string, change?: Change) {
  const token = await signVerificationToken(scope, user, change)
  const landing = landingFor(scope, 'verifyEmail', callbackURL)
  const url = mailedLink(scope, '/verify-email', {
    token,
    callbackURL: withPurpose(scope, change ? 'change' : 'confirm', landing),
  })
  return { url, expiresIn: emailVerificationOptions.of(scope).expiresIn }
}

/** Mails a link that verifies the user's address. */
export async function mailVerification(scope: Scope, user: User, callbackURL?: string): Promise<void> {
  await sendMailAfter(scope, await verificationFor(scope, user, callbackURL))
}

/** The same with a job of the unit of work. */
export async function addVerificationMail(scope: Scope, work: Work, user: User, callbackURL?: string): Promise<void> {
  work.defer('mail', await verificationFor(scope, user, callbackURL))
}

const verificationFor = async (scope: Scope, user: User, callbackURL?: string): Promise<Mail> =>
  verificationMail(scope, user, await verificationLink(scope, user, callbackURL))

/** Stores a change of address and mails a confirmation link to the current address. */
export async function requestAddressChange(
  scope: Scope,
  work: Work,
  user: User,
  newEmail: string,
  callbackURL?: string,
): Promise<void> {
  const change = draftChange(scope, user, newEmail)
  const link = await verificationLink(scope, user, callbackURL, { updateTo: newEmail, changeId: change.id })
  work.run(rememberChange(scope.db, change))
  work.defer('mail', await addressChangeMail(scope, user, newEmail, link))
}

/**
 * Mails the new address a link that assigns it to the user. If another user has the address, nothing is sent, and the
 * response is the same.
 * @param changeId of the change that the current address confirmed; without it, a change begins
 */
export async function mailNewAddress(
  scope: Scope,
  work: Work,
  user: User,
  newEmail: string,
  callbackURL?: string,
  changeId?: string,
): Promise<void> {
  const change = draftChange(scope, user, newEmail)
  const claims = { updateTo: newEmail, provesNew: true, changeId: changeId ?? change.id }
  const link = await verificationLink(scope, user, callbackURL, claims)
  const isFree = sql`not exists (select 1 from ${users} where ${eq(users.email, newEmail)})`
  if (changeId === undefined) work.run(rememberChange(scope.db, change))
  else prolongChange(scope, work, user.id, changeId)
  work.defer('mail', await newAddressMail(scope, user, newEmail, link), { when: isFree })
}
