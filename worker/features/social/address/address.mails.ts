import type { Scope } from '../../../identity/scope.ts'
import type { InEachLanguage } from '../../../kit/language.ts'
import { inWords } from '../../../kit/time.ts'
import { composeMail, type MailWords } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'

interface Facts {
  app: string
  provider: string
  lifetime: string
}

const words: InEachLanguage<(facts: Facts) => MailWords> = {
  en: ({ app, provider, lifetime }) => ({
    subject: `Your code to sign in to ${app} with ${provider}`,
    heading: 'Confirm that this is your address',
    paragraphs: [
      `Someone, probably you, is signing in to ${app} with a ${provider} account and gave this address.`,
      `Enter this code there. If you already have an account with this address, the ${provider} account becomes a way to sign in to it.`,
    ],
    note: `The code works once and is valid for ${lifetime}. Don’t share it with anyone. If it wasn’t you, you can ignore this email.`,
  }),
  de: ({ app, provider, lifetime }) => ({
    subject: `Dein Code zum Anmelden bei ${app} mit ${provider}`,
    heading: 'Bestätige, dass das deine Adresse ist',
    paragraphs: [
      `jemand, wahrscheinlich du, meldet sich mit einem Konto von ${provider} bei ${app} an und hat diese Adresse angegeben.`,
      `Gib diesen Code dort ein. Wenn du mit dieser Adresse schon ein Konto hast, kannst du dich danach auch mit dem Konto von ${provider} anmelden.`,
    ],
    note: `Der Code funktioniert einmal und gilt ${lifetime}. Gib ihn an niemanden weiter. Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
  }),
}

/** @param lifetime of the code, in seconds */
export function addressCodeMail(
  scope: Pick<Scope, 'brand' | 'language'>,
  to: string,
  provider: string,
  code: string,
  lifetime: number,
): Mail {
  const facts = { app: scope.brand.name, provider, lifetime: inWords(lifetime, scope.language) }
  return composeMail(scope, { kind: 'social-address', to, code, ...words[scope.language](facts) })
}
