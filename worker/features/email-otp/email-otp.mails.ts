import type { Scope } from '../../identity/scope.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import { inWords } from '../../kit/time.ts'
import { composeMail, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { CodeType } from './email-otp.contract.ts'

interface CodeWords {
  types: Record<CodeType, (app: string) => MailWords>
  note(lifetime: string): string
}

const words: InEachLanguage<CodeWords> = {
  en: {
    types: {
      'sign-in': (app) => ({
        subject: `Your code to sign in to ${app}`,
        heading: 'Your sign-in code',
        paragraphs: ['Enter this code where you are signing in.'],
      }),
      'email-verification': (app) => ({
        subject: `Your code to verify your email for ${app}`,
        heading: 'Verify your email address',
        paragraphs: ['Enter this code to confirm that this is your address.'],
      }),
      'forget-password': (app) => ({
        subject: `Your code to reset your password for ${app}`,
        heading: 'Choose a new password',
        paragraphs: ['Someone asked to reset the password of your account. Enter this code to choose a new one.'],
      }),
    },
    note: (lifetime) =>
      `The code works once and is valid for ${lifetime}. Don’t share it with anyone. If it wasn’t you, you can ignore this email.`,
  },
  de: {
    types: {
      'sign-in': (app) => ({
        subject: `Dein Code zum Anmelden bei ${app}`,
        heading: 'Dein Code zum Anmelden',
        paragraphs: ['gib diesen Code dort ein, wo du dich anmeldest.'],
      }),
      'email-verification': (app) => ({
        subject: `Dein Code zum Bestätigen deiner E-Mail-Adresse für ${app}`,
        heading: 'Bestätige deine E-Mail-Adresse',
        paragraphs: ['gib diesen Code ein, um zu bestätigen, dass das deine Adresse ist.'],
      }),
      'forget-password': (app) => ({
        subject: `Dein Code zum Zurücksetzen deines Passworts für ${app}`,
        heading: 'Wähle ein neues Passwort',
        paragraphs: [
          'jemand möchte das Passwort deines Kontos zurücksetzen. Gib diesen Code ein, um ein neues zu wählen.',
        ],
      }),
    },
    note: (lifetime) =>
      `Der Code funktioniert einmal und gilt ${lifetime}. Gib ihn an niemanden weiter. Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
  },
}

/** @param lifetime of the code, in seconds */
export function codeMail(
  scope: Pick<Scope, 'brand' | 'language'>,
  type: CodeType,
  person: { email: string; name?: string | undefined },
  { code, lifetime }: { code: string; lifetime: number },
): Mail {
  const { types, note } = words[scope.language]
  return composeMail(scope, {
    kind: `email-otp:${type}`,
    to: person.email,
    name: person.name,
    code,
    note: note(inWords(lifetime, scope.language)),
    ...types[type](scope.brand.name),
  })
}
