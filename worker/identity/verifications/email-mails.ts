import { withQuery } from '../../kit/urls.ts'
import { composeMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { basePath } from '../settings.ts'
import type { User } from '../users/users.table.ts'
import { signVerificationToken } from './email-token.ts'

/** Where a link leads when the caller named no place: the app's own landing screen. */
const landing = '/verify-email'

async function verificationLink(scope: Scope, user: User, callbackURL?: string, updateTo?: string): Promise<string> {
  const token = await signVerificationToken(scope, user, updateTo)
  return withQuery(`${scope.settings.baseUrl}${basePath}/verify-email`, { token, callbackURL: callbackURL || landing })
}

/** Mails a link that verifies the user's address. */
export async function mailVerification(scope: Scope, user: User, callbackURL?: string): Promise<void> {
  await scope.mail(await verificationMail(scope, user, callbackURL))
}

/** For a batch: the same, and it cannot be lost. */
export async function verificationMailTask(scope: Scope, user: User, callbackURL?: string): Promise<Statement[]> {
  return scope.mailTask(await verificationMail(scope, user, callbackURL))
}

async function verificationMail(scope: Scope, user: User, callbackURL?: string): Promise<Mail> {
  const url = await verificationLink(scope, user, callbackURL)
  return composeMail({
    kind: 'email-verification',
    to: user.email,
    appName: scope.settings.appName,
    subject: `Verify your email for ${scope.settings.appName}`,
    heading: 'Verify your email address',
    paragraphs: [`Hello ${user.name},`, `please confirm that ${user.email} is your address.`],
    action: { label: 'Verify email', url },
    note: 'If you did not create an account, nothing happens when you ignore this mail.',
  })
}

/** Mails the current address a link that changes it to `newEmail`. */
export async function mailAddressChange(
  scope: Scope,
  user: User,
  newEmail: string,
  callbackURL?: string,
): Promise<void> {
  const url = await verificationLink(scope, user, callbackURL, newEmail)
  await scope.mail(
    composeMail({
      to: user.email,
      appName: scope.settings.appName,
      subject: `Confirm your new address for ${scope.settings.appName}`,
      heading: 'Confirm the change of your email address',
      paragraphs: [
        `Hello ${user.name},`,
        `you asked to use ${newEmail} from now on. Open this link in the browser where you are signed in.`,
      ],
      action: { label: 'Change my address', url },
      note: 'If you did not ask for this, change your password: somebody else is signed in to your account.',
    }),
  )
}
