import { defineMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import { composeMail, type MessageScope, type Reader, readersLanguage } from '../messages/compose.ts'

const words = defineMail('mail/confirmationCode', {
  subject: 'Your code to confirm that it’s you at {appName}',
  heading: 'Confirm that it’s you',
  paragraphs: { enter: 'Enter this code where you were asked for it. It allows a change to your account.' },
  note: 'The code works once and is valid for {lifetime}. Don’t share it with anyone. If you didn’t ask for it, someone else is signed in to your account: end your other sessions.',
})

/** The name of the mail for its limits. */
export const confirmationMailKind = 'confirmationCode'

/** The code of a step-up. @param own expiresIn: seconds */
export const confirmationMail = (
  scope: MessageScope,
  user: Reader,
  own: { code: string; expiresIn: number },
): Promise<Mail> =>
  composeMail(scope, confirmationMailKind, words, { ...user, language: readersLanguage(scope, user) }, own)
