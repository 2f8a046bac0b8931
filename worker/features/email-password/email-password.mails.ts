import {
  composeMail,
  keptLanguage,
  type MessageScope,
  type Reader,
  readersLanguage,
} from '../../identity/messages/compose.ts'
import { defineMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const reset = defineMail('mail/resetPassword', {
  subject: 'Reset your password for {appName}',
  heading: 'Choose a new password',
  paragraphs: { what: 'Someone asked to reset the password of your account.' },
  button: 'Choose a new password',
  note: 'The link works once and is valid for {lifetime}. If it wasn’t you, you can ignore this email: your password stays as it is.',
})

export const resetMailKind = 'resetPassword'

/** @param own expiresIn: seconds */
export const resetMail = (scope: MessageScope, user: Reader, own: { url: string; expiresIn: number }): Promise<Mail> =>
  composeMail(scope, resetMailKind, reset, { ...user, language: readersLanguage(scope, user) }, own)

const first = defineMail('mail/firstPassword', {
  subject: 'Your account at {appName}',
  heading: 'Choose your password',
  paragraphs: { what: 'An account at {appName} was created for you.' },
  button: 'Choose a password',
  note: 'The link works once and is valid for {lifetime}. If you do not expect an account, you can ignore this email.',
})

/** To a user whom a server created without a password. @param own expiresIn: seconds */
export const firstPasswordMail = (
  scope: MessageScope,
  user: Reader,
  own: { url: string; expiresIn: number },
): Promise<Mail> => composeMail(scope, 'firstPassword', first, { ...user, language: keptLanguage(scope, user) }, own)
