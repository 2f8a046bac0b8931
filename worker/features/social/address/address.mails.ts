import { composeMail, type MessageScope, readersLanguage } from '../../../identity/messages/compose.ts'
import type { MailData } from '../../../identity/messages/templates.ts'
import type { InEachLanguage } from '../../../kit/language.ts'
import type { MailWords } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'

const words: InEachLanguage<(data: MailData['providerAddressCode']) => MailWords> = {
  en: ({ appName, provider, lifetime }) => ({
    subject: `Your code to sign in to ${appName} with ${provider}`,
    heading: 'Confirm that this is your address',
    paragraphs: [
      `Someone, probably you, is signing in to ${appName} with a ${provider} account and gave this address.`,
      `Enter this code there. If you already have an account with this address, the ${provider} account becomes a way to sign in to it.`,
    ],
    note: `The code works once and is valid for ${lifetime}. Don’t share it with anyone. If it wasn’t you, you can ignore this email.`,
  }),
  de: ({ appName, provider, lifetime }) => ({
    subject: `Dein Code zum Anmelden bei ${appName} mit ${provider}`,
    heading: 'Bestätige, dass das deine Adresse ist',
    paragraphs: [
      `jemand, wahrscheinlich du, meldet sich mit einem Konto von ${provider} bei ${appName} an und hat diese Adresse angegeben.`,
      `Gib diesen Code dort ein. Wenn du mit dieser Adresse schon ein Konto hast, kannst du dich danach auch mit dem Konto von ${provider} anmelden.`,
    ],
    note: `Der Code funktioniert einmal und gilt ${lifetime}. Gib ihn an niemanden weiter. Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
  }),
}

/** @param own expiresIn: seconds */
export const addressCodeMail = (
  scope: MessageScope,
  email: string,
  own: { provider: string; code: string; expiresIn: number },
): Mail => composeMail(scope, 'providerAddressCode', words, { email, language: readersLanguage(scope) }, own)
