import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import type { MailData } from '../../identity/messages/templates.ts'
import { pageFor } from '../../identity/pages.ts'
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

const accountExists: InEachLanguage<(data: MailData['accountExists']) => MailWords> = {
  en: ({ appName }) => ({
    subject: `You already have an account at ${appName}`,
    heading: 'You already have an account',
    paragraphs: ['Someone, probably you, tried to sign up with this address. You can sign in right away.'],
    button: 'Sign in',
    note: 'If it wasn’t you, nothing has happened to your account.',
  }),
  de: ({ appName }) => ({
    subject: `Du hast schon ein Konto bei ${appName}`,
    heading: 'Du hast schon ein Konto',
    paragraphs: [
      'jemand, wahrscheinlich du, wollte sich mit dieser Adresse registrieren. Du kannst dich gleich anmelden.',
    ],
    button: 'Anmelden',
    note: 'Wenn du das nicht warst: Mit deinem Konto ist nichts geschehen.',
  }),
}

/** To the owner of an address with which somebody signs up again; in the strict profile. */
export const accountExistsMail = (scope: MessageScope, email: string): Mail =>
  composeMail(
    scope,
    'accountExists',
    accountExists,
    { email, language: readersLanguage(scope) },
    { url: pageFor(scope, 'signIn') },
  )
