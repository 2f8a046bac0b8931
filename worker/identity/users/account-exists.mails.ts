import type { InEachLanguage } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import { composeMail, type MessageScope, readersLanguage } from '../messages/compose.ts'
import type { MailData } from '../messages/templates.ts'
import { pageFor } from '../pages.ts'

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
