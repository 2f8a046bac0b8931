import { composeMail, keptLanguage, type MessageScope } from '../../../identity/messages/compose.ts'
import type { User } from '../../../identity/model/users.table.ts'
import { pageFor } from '../../../identity/pages.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { defineMail } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'

const paused = defineMail('mail/auditStreamPaused', {
  subject: 'The audit log of {organization} is not sent any more',
  paragraphs: {
    what: 'The stream {stream} was paused, because its receiver has not accepted any record for days.',
    next: 'No record is lost. Correct the receiver or the credentials, and continue the stream: it sends what has waited.',
  },
  button: 'See the streams',
})

/** To an owner of an organization. @param stream its name */
export async function pausedMail(
  scope: MessageScope,
  organization: string,
  owner: Pick<User, 'email' | 'name' | 'language'>,
  stream: string,
): Promise<Mail> {
  const language = keptLanguage(scope, owner)
  return composeMail(
    scope,
    'auditStreamPaused',
    paused,
    { ...owner, language },
    { organization: plainWords(organization), stream: plainWords(stream), url: pageFor(scope, 'auditStreams') },
  )
}
