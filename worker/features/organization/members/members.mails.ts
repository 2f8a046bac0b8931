import { composeMail, keptLanguage, type MessageScope } from '../../../identity/messages/compose.ts'
import type { MailData } from '../../../identity/messages/templates.ts'
import { pageFor } from '../../../identity/pages.ts'
import type { InEachLanguage } from '../../../kit/language.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import type { MailWords } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'
import type { Organization } from '../membership/organizations.table.ts'
import type { MemberUser } from '../membership/present-membership.ts'
import { namesOf } from '../membership/words.ts'

type Reader = Pick<MemberUser, 'email' | 'name' | 'language'>

const roleChanged: InEachLanguage<(data: MailData['roleChanged']) => MailWords> = {
  en: ({ organization, roles }) => ({
    subject: `Your role at ${organization} has changed`,
    paragraphs: [`You are now ${roles} at ${organization}.`],
    button: 'See the members',
  }),
  de: ({ organization, roles }) => ({
    subject: `Deine Rolle bei ${organization} hat sich geändert`,
    paragraphs: [`deine Rolle bei ${organization} ist jetzt ${roles}.`],
    button: 'Mitglieder ansehen',
  }),
}

export function roleChangedMail(
  scope: MessageScope,
  organization: Pick<Organization, 'name'>,
  user: Reader,
  role: string,
): Mail {
  const language = keptLanguage(scope, user)
  return composeMail(
    scope,
    'roleChanged',
    roleChanged,
    { ...user, language },
    {
      organization: plainWords(organization.name),
      roles: namesOf(role, language),
      url: pageFor(scope, 'members'),
    },
  )
}

const removed: InEachLanguage<(data: MailData['memberRemoved']) => MailWords> = {
  en: ({ organization }) => ({
    subject: `You are no longer a member of ${organization}`,
    paragraphs: [`You have been removed from ${organization}. Your own account stays as it is.`],
    note: `If you think this is a mistake, ask an owner of ${organization} to invite you again.`,
  }),
  de: ({ organization }) => ({
    subject: `Du bist kein Mitglied von ${organization} mehr`,
    paragraphs: [`du wurdest aus ${organization} entfernt. Dein eigenes Konto bleibt, wie es ist.`],
    note: `Wenn du das für einen Irrtum hältst, bitte jemanden mit der Inhaberrolle bei ${organization}, dich noch einmal einzuladen.`,
  }),
}

export const removedMail = (scope: MessageScope, organization: Pick<Organization, 'name'>, user: Reader): Mail =>
  composeMail(
    scope,
    'memberRemoved',
    removed,
    { ...user, language: keptLanguage(scope, user) },
    { organization: plainWords(organization.name) },
  )
