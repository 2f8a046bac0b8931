import { composeMail, keptLanguage, type MessageScope } from '../../../identity/messages/compose.ts'
import { pageFor } from '../../../identity/pages.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { loadLanguage } from '../../../languages/texts.ts'
import { defineMail } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'
import { roleNamesOf } from '../model/mail-names.ts'
import type { Organization } from '../model/organizations.table.ts'
import type { MemberUser } from '../model/present-membership.ts'

type Reader = Pick<MemberUser, 'email' | 'name' | 'language'>

const roleChanged = defineMail('mail/roleChanged', {
  subject: 'Your role at {organization} has changed',
  paragraphs: { what: 'You are now {roles} at {organization}.' },
  button: 'See the members',
})

export async function roleChangedMail(
  scope: MessageScope,
  organization: Pick<Organization, 'name'>,
  user: Reader,
  role: string,
): Promise<Mail> {
  const language = keptLanguage(scope, user)
  await loadLanguage(language)
  return composeMail(
    scope,
    'roleChanged',
    roleChanged,
    { ...user, language },
    {
      organization: plainWords(organization.name),
      roles: roleNamesOf(scope, role, language),
      url: pageFor(scope, 'members'),
    },
  )
}

const removed = defineMail('mail/memberRemoved', {
  subject: 'You are no longer a member of {organization}',
  paragraphs: { what: 'You have been removed from {organization}. Your own account stays as it is.' },
  note: 'If you think this is a mistake, ask an owner of {organization} to invite you again.',
})

export const removedMail = (
  scope: MessageScope,
  organization: Pick<Organization, 'name'>,
  user: Reader,
): Promise<Mail> =>
  composeMail(
    scope,
    'memberRemoved',
    removed,
    { ...user, language: keptLanguage(scope, user) },
    { organization: plainWords(organization.name) },
  )
