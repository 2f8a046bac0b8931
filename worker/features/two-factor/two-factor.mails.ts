import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import type { MailData } from '../../identity/messages/templates.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const words: InEachLanguage<(data: MailData['twoFactorCode']) => MailWords> = {
  en: ({ appName, lifetime }) => ({
    subject: `Your code for ${appName}`,
    heading: 'Your sign-in code',
    paragraphs: ['Enter this code where you are signing in.'],
    note: `The code works once and is valid for ${lifetime}. If you aren’t signing in, someone knows your password: change it.`,
  }),
  de: ({ appName, lifetime }) => ({
    subject: `Dein Code für ${appName}`,
    heading: 'Dein Code zum Anmelden',
    paragraphs: ['gib diesen Code dort ein, wo du dich anmeldest.'],
    note: `Der Code funktioniert einmal und gilt ${lifetime}. Wenn du dich gerade nicht anmeldest, kennt jemand dein Passwort: Ändere es.`,
  }),
}

/** @param own expiresIn: seconds */
export const otpMail = (scope: MessageScope, user: Reader, own: { code: string; expiresIn: number }): Mail =>
  composeMail(scope, 'twoFactorCode', words, { ...user, language: readersLanguage(scope, user) }, own)
