import { composeMail, type MessageScope, type Reader } from '../../../identity/messages/compose.ts'
import type { Language } from '../../../kit/language.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { defineMail } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'

const approval = defineMail('mail/approvalRequest', {
  subject: '{client} asks for your approval',
  heading: '{client} asks for your approval',
  paragraphs: {
    what: 'It wants to: {what}',
    message: 'Its message: {message}',
    until: 'You can answer until {expiresAt} UTC. Nothing happens without your approval.',
  },
  button: 'See the request',
  note: 'Approve only what you have started or expect. If you don’t know the request, deny it.',
})

/** The words of a client and of its request are on one line, and a mail program makes no link of them. */
export const approvalMail = (
  scope: MessageScope,
  reader: Reader & { language: Language },
  own: { client: string; message: string | null; what: readonly string[]; expiresAt: Date; url: string },
): Promise<Mail> =>
  composeMail(scope, 'approvalRequest', approval, reader, {
    client: plainWords(own.client),
    message: own.message === null ? null : plainWords(own.message, 120),
    what: own.what.length === 0 ? null : plainWords(own.what.join('; '), 400),
    expiresAt: own.expiresAt,
    url: own.url,
  })
