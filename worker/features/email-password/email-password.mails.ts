import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import { inWords } from '../../kit/time.ts'
import { composeMail, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const reset: InEachLanguage<(app: string, lifetime: string) => MailWords> = {
  en: (app, lifetime) => ({
    subject: `Reset your password for ${app}`,
    heading: 'Choose a new password',
    paragraphs: ['Someone asked to reset the password of your account.'],
    action: 'Choose a new password',
    note: `The link works once and is valid for ${lifetime}. If it wasn’t you, you can ignore this email: your password stays as it is.`,
  }),
  de: (app, lifetime) => ({
    subject: `Setze dein Passwort für ${app} zurück`,
    heading: 'Wähle ein neues Passwort',
    paragraphs: ['jemand möchte das Passwort deines Kontos zurücksetzen.'],
    action: 'Neues Passwort wählen',
    note: `Der Link funktioniert einmal und gilt ${lifetime}. Wenn du das nicht warst, kannst du diese E-Mail ignorieren: Dein Passwort bleibt, wie es ist.`,
  }),
}

/** @param lifetime of the link, in seconds */
export function resetMail(
  scope: Pick<Scope, 'brand' | 'language'>,
  { name, email }: User,
  { url, lifetime }: { url: string; lifetime: number },
): Mail {
  const words = reset[scope.language](scope.brand.name, inWords(lifetime, scope.language))
  return composeMail(scope, { kind: 'reset-password', to: email, name, url, ...words })
}
