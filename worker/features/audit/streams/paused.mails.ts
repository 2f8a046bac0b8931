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

type Recipient = Pick<User, 'email' | 'name' | 'language'>

/** To an owner of an organization. @param stream its name */
export const pausedMail = (
  scope: MessageScope,
  organization: string,
  owner: Recipient,
  stream: string,
): Promise<Mail> => mailOf(scope, owner, { organization, stream, url: pageFor(scope, 'auditStreams') })

/** To an administrator, about a stream of the deployment. */
export const pausedDeploymentMail = (scope: MessageScope, administrator: Recipient, stream: string): Promise<Mail> => {
  const url = `${scope.settings.baseUrl}/admin/audit/streams`
  return mailOf(scope, administrator, { organization: scope.shared.brand.name, stream, url })
}

function mailOf(
  scope: MessageScope,
  reader: Recipient,
  { organization, stream, url }: { organization: string; stream: string; url: string },
): Promise<Mail> {
  const language = keptLanguage(scope, reader)
  return composeMail(
    scope,
    'auditStreamPaused',
    paused,
    { ...reader, language },
    { organization: plainWords(organization), stream: plainWords(stream), url },
  )
}
