import type { InEachLanguage } from '../../kit/language.ts'
import { composeMail, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { Scope } from '../scope.ts'

const accountExists: InEachLanguage<(app: string) => MailWords> = {
  en: (app) => ({
    subject: `You already have an account at ${app}`,
    heading: 'You already have an account',
    paragraphs: ['Someone, probably you, tried to sign up with this address. You can sign in right away.'],
    action: 'Sign in',
    note: 'If it wasn’t you, nothing has happened to your account.',
  }),
  de: (app) => ({
    subject: `Du hast schon ein Konto bei ${app}`,
    heading: 'Du hast schon ein Konto',
    paragraphs: [
      'jemand, wahrscheinlich du, wollte sich mit dieser Adresse registrieren. Du kannst dich gleich anmelden.',
    ],
    action: 'Anmelden',
    note: 'Wenn du das nicht warst: Mit deinem Konto ist nichts geschehen.',
  }),
}

/** To the owner of an address with which somebody signs up again; in the strict profile. */
export function accountExistsMail(scope: Pick<Scope, 'brand' | 'language' | 'settings'>, email: string): Mail {
  const url = `${scope.settings.baseUrl}/sign-in`
  const words = accountExists[scope.language](scope.brand.name)
  return composeMail(scope, { kind: 'account-exists', to: email, url, ...words })
}
