import { composeMail, keptLanguage, type MessageScope } from '../../../identity/messages/compose.ts'
import type { User } from '../../../identity/model/users.table.ts'
import { defineMail } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'

const nearlyFull = defineMail('mail/directoriesNearlyFull', {
  subject: 'The directories of {appName} are nearly full',
  paragraphs: {
    what: 'The synchronised users and groups of all organizations take {percent} % of the configured size.',
    next: 'Once the size is reached, new entries are refused. Raise the limit in the configuration, or delete connections that are not in use.',
  },
  button: 'See the organizations',
})

/** To an administrator. @param percent of the configured size */
export const nearlyFullMail = (
  scope: MessageScope,
  administrator: Pick<User, 'email' | 'name' | 'language'>,
  percent: number,
): Promise<Mail> =>
  composeMail(
    scope,
    'directoriesNearlyFull',
    nearlyFull,
    { ...administrator, language: keptLanguage(scope, administrator) },
    { percent: String(percent), url: `${scope.settings.baseUrl}/admin/organizations` },
  )
