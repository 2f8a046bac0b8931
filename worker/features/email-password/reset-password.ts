import { choosePassword } from '../../identity/accounts/passwords.ts'
import { resetForgottenPassword } from '../../identity/accounts/reset-password.ts'
import { landingFor } from '../../identity/pages.ts'
import type { Scope } from '../../identity/scope.ts'
import { basePath, emailAndPasswordOptions } from '../../identity/settings.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserByEmail, findUserById } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { isUsed, usedStatement } from '../../identity/verifications/used-records.ts'
import { issueVerification, readVerification, speaksFor } from '../../identity/verifications/verifications.ts'
import { randomString } from '../../kit/random.ts'
import { withQuery } from '../../kit/urls.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'
import { resetMail } from './email-password.mails.ts'

const kind = 'reset-password'

/**
 * Mails a reset link, if there is somebody to mail it to. Whether there is, neither the answer nor its time tells:
 * the token is stored and mailed after the answer.
 */
export async function requestPasswordReset(scope: Scope, email: string, redirectTo?: string): Promise<void> {
  if (!emailAndPasswordOptions.of(scope).enabled) throw errors.RESET_PASSWORD_ISNT_ENABLED()
  const user = await findUserByEmail(scope.db, email)
  if (user && !user.emailIsPlaceholder) await scope.later(() => mailResetLink(scope, user, redirectTo))
}

async function mailResetLink(scope: Scope, user: User, redirectTo?: string): Promise<void> {
  const { resetPasswordTokenExpiresIn: expiresIn } = emailAndPasswordOptions.of(scope)
  const token = randomString(24)
  await issueVerification(scope, kind, token, { user, expiresIn })
  const page = `${scope.settings.baseUrl}${basePath}/reset-password/${token}`
  const url = withQuery(page, { callbackURL: landingFor(scope, 'resetPassword', redirectTo) })
  await scope.mail(resetMail(scope, user, { url, expiresIn }))
}

/** Whether a reset token still works. Looking does not use it. */
export async function isResetTokenAlive(scope: Scope, token: string): Promise<boolean> {
  const [read, used] = await Promise.all([readVerification(scope, kind, token), isUsed(scope, kind, token)])
  return read.kind === 'valid' && !used
}

/**
 * Sets a new password with the token of a reset mail. The token is used only when the password is acceptable; all sessions
 * and everything else that is pending end with it.
 * @throws INVALID_TOKEN, or what is wrong with the password
 */
export async function resetPassword(scope: Scope, token: string | undefined, newPassword: string): Promise<void> {
  const read = token ? await readVerification(scope, kind, token) : null
  if (!token || read?.kind !== 'valid') throw core.INVALID_TOKEN()
  const user = await findUserById(scope.db, read.data.userId!)
  if (!user || !speaksFor(read.data, user) || (await isUsed(scope, kind, token))) throw core.INVALID_TOKEN()
  const hash = await choosePassword(scope, newPassword)
  const use = usedStatement(scope, kind, token, read.expiresAt)
  if (!(await resetForgottenPassword(scope, user, hash, { proof: 'mail', use }))) throw core.INVALID_TOKEN()
}
