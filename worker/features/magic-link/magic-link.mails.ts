import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import type { MailData } from '../../identity/messages/templates.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const words: InEachLanguage<(data: MailData['magicLink']) => MailWords> = {
  en: ({ appName, lifetime }) => ({
    subject: `Sign in to ${appName}`,
    paragraphs: ['Here is the sign-in link you asked for.'],
    button: 'Sign in',
    note: `The link works once and is valid for ${lifetime}. If it wasn’t you, you can ignore this email.`,
  }),
  de: ({ appName, lifetime }) => ({
    subject: `Anmelden bei ${appName}`,
    paragraphs: ['hier ist der Link zum Anmelden, den du angefordert hast.'],
    button: 'Anmelden',
    note: `Der Link funktioniert einmal und gilt ${lifetime}. Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
  }),
}

/** @param own expiresIn: seconds */
export const magicLinkMail = (scope: MessageScope, person: Reader, own: { url: string; expiresIn: number }): Mail =>
  composeMail(scope, 'magicLink', words, { ...person, language: readersLanguage(scope, person) }, own)
