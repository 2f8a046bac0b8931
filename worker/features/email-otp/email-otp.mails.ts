import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import type { MailData } from '../../identity/messages/templates.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { CodeType } from './email-otp.contract.ts'

/** The mails of this feature are named by what their code is for. */
const names = {
  'sign-in': 'signInCode',
  'email-verification': 'verifyEmailCode',
  'forget-password': 'resetPasswordCode',
} as const satisfies Record<CodeType, keyof MailData>

type Words = (data: MailData[(typeof names)[CodeType]]) => MailWords

const notes = {
  en: (lifetime: string) =>
    `The code works once and is valid for ${lifetime}. Don’t share it with anyone. If it wasn’t you, you can ignore this email.`,
  de: (lifetime: string) =>
    `Der Code funktioniert einmal und gilt ${lifetime}. Gib ihn an niemanden weiter. Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
}

const words: Record<CodeType, InEachLanguage<Words>> = {
  'sign-in': {
    en: ({ appName, lifetime }) => ({
      subject: `Your code to sign in to ${appName}`,
      heading: 'Your sign-in code',
      paragraphs: ['Enter this code where you are signing in.'],
      note: notes.en(lifetime),
    }),
    de: ({ appName, lifetime }) => ({
      subject: `Dein Code zum Anmelden bei ${appName}`,
      heading: 'Dein Code zum Anmelden',
      paragraphs: ['gib diesen Code dort ein, wo du dich anmeldest.'],
      note: notes.de(lifetime),
    }),
  },
  'email-verification': {
    en: ({ appName, lifetime }) => ({
      subject: `Your code to confirm your email for ${appName}`,
      heading: 'Confirm your email address',
      paragraphs: ['Enter this code to show that this is your address.'],
      note: notes.en(lifetime),
    }),
    de: ({ appName, lifetime }) => ({
      subject: `Dein Code zum Bestätigen deiner E-Mail-Adresse für ${appName}`,
      heading: 'Bestätige deine E-Mail-Adresse',
      paragraphs: ['gib diesen Code ein, um zu bestätigen, dass das deine Adresse ist.'],
      note: notes.de(lifetime),
    }),
  },
  'forget-password': {
    en: ({ appName, lifetime }) => ({
      subject: `Your code to reset your password for ${appName}`,
      heading: 'Choose a new password',
      paragraphs: ['Someone asked to reset the password of your account. Enter this code to choose a new one.'],
      note: notes.en(lifetime),
    }),
    de: ({ appName, lifetime }) => ({
      subject: `Dein Code zum Zurücksetzen deines Passworts für ${appName}`,
      heading: 'Wähle ein neues Passwort',
      paragraphs: [
        'jemand möchte das Passwort deines Kontos zurücksetzen. Gib diesen Code ein, um ein neues zu wählen.',
      ],
      note: notes.de(lifetime),
    }),
  },
}

/** The name of the mail, by which it is counted. */
export const codeMailKind = (type: CodeType): string => names[type]

export const codeMail = (
  scope: MessageScope,
  type: CodeType,
  person: Reader,
  own: { code: string; expiresIn: number },
): Mail => composeMail(scope, names[type], words[type], { ...person, language: readersLanguage(scope, person) }, own)
