import { withQuery } from '../../kit/urls.ts'
import { composeMail, greeting } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { basePath } from '../settings.ts'
import { findUserByEmail } from '../users/users.store.ts'
import type { User } from '../users/users.table.ts'
import { signVerificationToken } from './email-token.ts'

/** Where a link leads when the caller named no place: the app's own landing screen. */
const landing = '/verify-email'

type Change = Parameters<typeof signVerificationToken>[2]

async function verificationLink(scope: Scope, user: User, callbackURL?: string, change?: Change): Promise<string> {
  const token = await signVerificationToken(scope, user, change)
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
    paragraphs: [greeting(user.name), `please confirm that ${user.email} is your address.`],
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
  const url = await verificationLink(scope, user, callbackURL, { updateTo: newEmail })
  await scope.mail(
    composeMail({
      kind: 'change-email',
      to: user.email,
      appName: scope.settings.appName,
      subject: `Confirm your new address for ${scope.settings.appName}`,
      heading: 'Confirm the change of your email address',
      paragraphs: [
        greeting(user.name),
        `you asked to use ${newEmail} from now on. Open this link in the browser where you are signed in.`,
      ],
      action: { label: 'Change my address', url },
      note: 'If you did not ask for this, change your password: somebody else is signed in to your account.',
    }),
  )
}

/**
 * Mails the new address a link that makes it the user's. Where somebody has that address already nothing is sent, and
 * whoever asked is not told.
 */
export async function mailNewAddress(scope: Scope, user: User, newEmail: string, callbackURL?: string): Promise<void> {
  const holder = await findUserByEmail(scope.db, newEmail)
  if (holder) return
  const url = await verificationLink(scope, user, callbackURL, { updateTo: newEmail, provesNew: true })
  await scope.mail(
    composeMail({
      kind: 'new-email',
      to: newEmail,
      appName: scope.settings.appName,
      subject: `Confirm your address for ${scope.settings.appName}`,
      heading: 'Confirm that this is your address',
      paragraphs: [greeting(), 'somebody, probably you, wants to use this address for their account.'],
      action: { label: 'Use this address', url },
      note: 'Open the link in the browser where you are signed in. If it was not you, ignore this mail.',
    }),
  )
}
