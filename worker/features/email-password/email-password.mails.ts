import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import type { MailData } from '../../identity/messages/templates.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const reset: InEachLanguage<(data: MailData['resetPassword']) => MailWords> = {
  en: ({ appName, lifetime }) => ({
    subject: `Reset your password for ${appName}`,
    heading: 'Choose a new password',
    paragraphs: ['Someone asked to reset the password of your account.'],
    button: 'Choose a new password',
    note: `The link works once and is valid for ${lifetime}. If it wasn’t you, you can ignore this email: your password stays as it is.`,
  }),
  de: ({ appName, lifetime }) => ({
    subject: `Setze dein Passwort für ${appName} zurück`,
    heading: 'Wähle ein neues Passwort',
    paragraphs: ['jemand möchte das Passwort deines Kontos zurücksetzen.'],
    button: 'Neues Passwort wählen',
    note: `Der Link funktioniert einmal und gilt ${lifetime}. Wenn du das nicht warst, kannst du diese E-Mail ignorieren: Dein Passwort bleibt, wie es ist.`,
  }),
}

/** @param own expiresIn: seconds */
export const resetMail = (scope: MessageScope, user: Reader, own: { url: string; expiresIn: number }): Mail =>
  composeMail(scope, 'resetPassword', reset, { ...user, language: readersLanguage(scope, user) }, own)
