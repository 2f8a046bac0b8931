import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import { defineMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const words = defineMail('mail/magicLink', {
  subject: 'Sign in to {appName}',
  paragraphs: { what: 'Here is the sign-in link you asked for.' },
  button: 'Sign in',
  note: 'The link works once and is valid for {lifetime}. If it wasn’t you, you can ignore this email.',
})

/** @param own expiresIn: seconds */
export const magicLinkMailKind = 'magicLink'

export const magicLinkMail = (
  scope: MessageScope,
  person: Reader,
  own: { url: string; expiresIn: number },
): Promise<Mail> =>
  composeMail(scope, magicLinkMailKind, words, { ...person, language: readersLanguage(scope, person) }, own)
