import { defineMail } from '../platform/mailer/layout.ts'
import type { Mail } from '../platform/mailer/mail.ts'
import { composeMail, keptLanguage, type MessageScope } from './messages/compose.ts'
import type { User } from './model/users.table.ts'

const nearlyFull = defineMail('mail/databaseNearlyFull', {
  subject: 'The database of {appName} is {percent} % full',
  paragraphs: {
    what: 'The database takes {percent} % of its configured maximum size.',
    levels:
      'From 85 % on, the history is shortened, and new accounts, directory entries and applications are refused. From 95 % on, only sign-ins, sign-outs, changes of security and deletions are written.',
    next: 'Shorten the retention of the history, delete accounts that are not in use, or raise the maximum size if your plan allows more.',
  },
  button: 'Open the administration',
})

/** To an administrator. @param percent of the maximum size */
export const fullDatabaseMail = (
  scope: MessageScope,
  administrator: Pick<User, 'email' | 'name' | 'language'>,
  percent: number,
): Promise<Mail> =>
  composeMail(
    scope,
    'databaseNearlyFull',
    nearlyFull,
    { ...administrator, language: keptLanguage(scope, administrator) },
    { percent: String(percent), url: `${scope.settings.baseUrl}/admin` },
  )
