import { composeMail, type MessageScope, readersLanguage } from '../../../identity/messages/compose.ts'
import { defineMail } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'

const words = defineMail('mail/providerAddressCode', {
  subject: 'Your code to sign in to {appName} with {provider}',
  heading: 'Confirm that this is your address',
  paragraphs: {
    what: 'Someone, probably you, is signing in to {appName} with a {provider} account and gave this address.',
    enter:
      'Enter this code there. If you already have an account with this address, the {provider} account becomes a way to sign in to it.',
  },
  note: 'The code works once and is valid for {lifetime}. Don’t share it with anyone. If it wasn’t you, you can ignore this email.',
})

/** @param own expiresIn: seconds */
export const addressCodeMail = (
  scope: MessageScope,
  email: string,
  own: { provider: string; code: string; expiresIn: number },
): Promise<Mail> => composeMail(scope, 'providerAddressCode', words, { email, language: readersLanguage(scope) }, own)
