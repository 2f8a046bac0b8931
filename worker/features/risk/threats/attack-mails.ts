import { composeMail, keptLanguage, type MessageScope } from '../../../identity/messages/compose.ts'
import type { User } from '../../../identity/model/users.table.ts'
import { defineMail } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'

const attackBegan = defineMail('mail/attackBegan', {
  subject: 'An attack on accounts of {appName}',
  paragraphs: {
    what: 'Very many wrong passwords were entered within a short time.',
    effect: 'Sign-ins from new devices that may belong to the attack need a code. No account is locked.',
    next: 'The administration shows the attack and what you can do. You get this email once a day at most.',
  },
  button: 'Open the threats page',
})

/** To an administrator. @param network null: many networks */
export const attackMail = (
  scope: MessageScope,
  administrator: Pick<User, 'email' | 'name' | 'language'>,
  network: string | null,
): Promise<Mail> =>
  composeMail(
    scope,
    'attackBegan',
    attackBegan,
    { ...administrator, language: keptLanguage(scope, administrator) },
    { network, url: `${scope.settings.baseUrl}/admin/threats` },
  )
