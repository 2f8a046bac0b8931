import type { Scope } from '../../identity/scope.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import { inWords } from '../../kit/time.ts'
import { composeMail, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const words: InEachLanguage<(app: string, lifetime: string) => MailWords> = {
  en: (app, lifetime) => ({
    subject: `Sign in to ${app}`,
    paragraphs: ['Here is the sign-in link you asked for.'],
    action: 'Sign in',
    note: `The link works once and is valid for ${lifetime}. If it wasn’t you, you can ignore this email.`,
  }),
  de: (app, lifetime) => ({
    subject: `Anmelden bei ${app}`,
    paragraphs: ['hier ist der Link zum Anmelden, den du angefordert hast.'],
    action: 'Anmelden',
    note: `Der Link funktioniert einmal und gilt ${lifetime}. Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
  }),
}

/** @param lifetime of the link, in seconds */
export function magicLinkMail(
  scope: Pick<Scope, 'brand' | 'language'>,
  person: { email: string; name?: string | undefined },
  { url, lifetime }: { url: string; lifetime: number },
): Mail {
  return composeMail(scope, {
    kind: 'magic-link',
    to: person.email,
    name: person.name,
    url,
    ...words[scope.language](scope.brand.name, inWords(lifetime, scope.language)),
  })
}
