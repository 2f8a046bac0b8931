import { emailAndPasswordOptions } from '../../identity/accounts/accounts.config.ts'
import { choosePassword } from '../../identity/accounts/passwords.ts'
import { issueResetToken, resetForgottenPassword, resetKind } from '../../identity/accounts/reset-password.ts'
import { inBackground, sendMailAfter } from '../../identity/messages/send.ts'
import type { User } from '../../identity/model/users.table.ts'
import { landingFor } from '../../identity/pages.ts'
import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { isUsed } from '../../identity/used-records.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserByEmail, findUserById } from '../../identity/users/users.store.ts'
import { readVerification, speaksFor } from '../../identity/verifications/verifications.ts'
import { days } from '../../kit/time.ts'
import { withQuery } from '../../kit/urls.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'
import { firstPasswordMail, resetMail, resetMailKind } from './email-password.mails.ts'

/** @throws RESET_PASSWORD_ISNT_ENABLED */
export function requireReset(scope: Scope): void {
  if (!emailAndPasswordOptions.of(scope).enabled) throw errors.RESET_PASSWORD_ISNT_ENABLED()
}

/** Mails a reset link after the response, so that neither it nor its time reveals whether the user exists. */
export async function requestPasswordReset(scope: Scope, email: string, redirectTo?: string): Promise<void> {
  requireReset(scope)
  const user = await findUserByEmail(scope.db, email)
  if (user && !user.emailIsPlaceholder) await inBackground(scope, () => mailResetLink(scope, user, redirectTo))
}

async function mailResetLink(scope: Scope, user: User, redirectTo?: string): Promise<void> {
  const { resetPasswordTokenExpiresIn: expiresIn } = emailAndPasswordOptions.of(scope)
  const make = async () => {
    const url = linkTo(scope, await issueResetToken(scope, user), redirectTo)
    return resetMail(scope, user, { url, expiresIn })
  }
  await sendMailAfter(scope, { to: user.email, kind: resetMailKind, make })
}

function linkTo(scope: Scope, token: string, redirectTo?: string): string {
  const page = `${scope.settings.baseUrl}${basePath}/reset-password/${token}`
  return withQuery(page, { callbackURL: landingFor(scope, 'resetPassword', redirectTo) })
}

/** A user who was created by another party may read the mail days later. */
const firstPasswordTime = days(7)

/** The mail with the link for a first password. It may precede the commit of the user. */
export async function invitationToAccount(scope: Scope, user: User): Promise<Mail> {
  const token = await issueResetToken(scope, user, firstPasswordTime)
  return firstPasswordMail(scope, user, { url: linkTo(scope, token), expiresIn: firstPasswordTime })
}

/** Does not use the token. */
export async function isResetTokenValid(scope: Scope, token: string): Promise<boolean> {
  const [read, used] = await Promise.all([
    readVerification(scope, resetKind, token),
    isUsed(scope, { kind: resetKind, token }),
  ])
  return read.kind === 'valid' && !used
}

/** Sets a new password with the token of a reset mail, used only with an acceptable password, and ends the sessions. */
export async function resetPassword(scope: Scope, token: string | undefined, newPassword: string): Promise<void> {
  const read = token ? await readVerification(scope, resetKind, token) : null
  if (!token || read?.kind !== 'valid') throw core.INVALID_TOKEN()
  const user = await findUserById(scope.db, read.data.userId!)
  if (!user || !speaksFor(read.data, user) || (await isUsed(scope, { kind: resetKind, token })))
    throw core.INVALID_TOKEN()
  const hash = await choosePassword(scope, newPassword)
  const use = { kind: resetKind, token, expiresAt: read.expiresAt }
  await resetForgottenPassword(scope, user, hash, { proof: 'mail', use, stale: core.INVALID_TOKEN })
}
