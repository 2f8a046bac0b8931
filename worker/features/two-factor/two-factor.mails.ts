import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import { defineMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const words = defineMail('mail/twoFactorCode', {
  subject: 'Your code for {appName}',
  heading: 'Your sign-in code',
  paragraphs: { enter: 'Enter this code where you are signing in.' },
  note: 'The code works once and is valid for {lifetime}. If you aren’t signing in, someone knows your password: change it.',
})

/** @param own expiresIn: seconds */
export const otpMail = (scope: MessageScope, user: Reader, own: { code: string; expiresIn: number }): Promise<Mail> =>
  composeMail(scope, 'twoFactorCode', words, { ...user, language: readersLanguage(scope, user) }, own)
