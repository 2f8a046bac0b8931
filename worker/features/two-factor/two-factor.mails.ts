import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import { inWords } from '../../kit/time.ts'
import { composeMail, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const words: InEachLanguage<(app: string, lifetime: string) => MailWords> = {
  en: (app, lifetime) => ({
    subject: `Your code for ${app}`,
    heading: 'Your sign-in code',
    paragraphs: ['Enter this code where you are signing in.'],
    note: `The code works once and is valid for ${lifetime}. If you aren’t signing in, someone knows your password: change it.`,
  }),
  de: (app, lifetime) => ({
    subject: `Dein Code für ${app}`,
    heading: 'Dein Code zum Anmelden',
    paragraphs: ['gib diesen Code dort ein, wo du dich anmeldest.'],
    note: `Der Code funktioniert einmal und gilt ${lifetime}. Wenn du dich gerade nicht anmeldest, kennt jemand dein Passwort: Ändere es.`,
  }),
}

/** @param lifetime of the code, in seconds */
export function otpMail(
  scope: Pick<Scope, 'brand' | 'language'>,
  { name, email }: User,
  { code, lifetime }: { code: string; lifetime: number },
): Mail {
  const { brand, language } = scope
  const content = words[language](brand.name, inWords(lifetime, language))
  return composeMail(scope, { kind: 'two-factor', to: email, name, code, ...content })
}
