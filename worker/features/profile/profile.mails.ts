import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import { defineMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const deletion = defineMail('mail/deleteAccount', {
  subject: 'Delete your account at {appName}',
  heading: 'Delete your account',
  paragraphs: {
    what: 'You asked to delete your account and everything that belongs to it. This can’t be undone.',
    open: 'Open this link in the browser where you are signed in. It is valid for {lifetime}.',
  },
  button: 'Delete my account',
  note: 'If you didn’t ask for this, change your password: someone else is signed in to your account.',
})

/** @param own expiresIn: seconds */
export const deletionMailKind = 'deleteAccount'

export const deletionMail = (
  scope: MessageScope,
  user: Reader,
  own: { url: string; expiresIn: number },
): Promise<Mail> =>
  composeMail(scope, deletionMailKind, deletion, { ...user, language: readersLanguage(scope, user) }, own)
