import { composeMail, keptLanguage, type MessageScope, type Reader } from '../../../identity/messages/compose.ts'
import type { User } from '../../../identity/model/users.table.ts'
import { pageFor } from '../../../identity/pages.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { loadLanguage } from '../../../languages/texts.ts'
import { defineMail } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'
import type { Invitation } from '../model/invitations.table.ts'
import { personOf, roleNamesOf, verifiedAddressOf, withAddress } from '../model/mail-names.ts'
import type { Organization } from '../model/organizations.table.ts'

type Person = Pick<User, 'name' | 'email' | 'emailVerified'>

const invitation = defineMail('mail/invitation', {
  subject: '{inviter} invites you to {organization}',
  heading: 'You are invited to {organization}',
  paragraphs: {
    what: '{inviterWithAddress} invites you to join {organization} as {roles}.',
    how: 'Sign in with {email}, or create an account with this address. The invitation is valid until {expiresAt} UTC.',
  },
  button: 'See the invitation',
  note: 'If you don’t know the sender, you can ignore this email: nothing happens unless you accept.',
})

/** @param language of the recipient, if they have an account */
export async function invitationMail(
  scope: MessageScope,
  organization: Pick<Organization, 'name'>,
  inviter: Person,
  { email, role, expiresAt, id }: Pick<Invitation, 'email' | 'role' | 'expiresAt' | 'id'>,
  known: Pick<Reader, 'language'> | null,
): Promise<Mail> {
  const language = keptLanguage(scope, known)
  await loadLanguage(language)
  return composeMail(
    scope,
    'invitation',
    invitation,
    { email, language },
    {
      organization: plainWords(organization.name),
      inviter: personOf(scope, inviter, language),
      inviterEmail: verifiedAddressOf(inviter),
      roles: roleNamesOf(scope, role ?? 'member', language),
      expiresAt,
      url: pageFor(scope, 'acceptInvitation', { id }),
    },
    { inviterWithAddress: withAddress(personOf(scope, inviter, language), verifiedAddressOf(inviter)) },
  )
}

const accepted = defineMail('mail/invitationAccepted', {
  subject: '{member} has joined {organization}',
  paragraphs: { what: '{memberWithAddress} has accepted your invitation and is now {roles} at {organization}.' },
  button: 'See the members',
})

export async function acceptedMail(
  scope: MessageScope,
  organization: Pick<Organization, 'name'>,
  inviter: Reader,
  user: Person,
  role: string,
): Promise<Mail> {
  const language = keptLanguage(scope, inviter)
  await loadLanguage(language)
  return composeMail(
    scope,
    'invitationAccepted',
    accepted,
    { ...inviter, language },
    {
      organization: plainWords(organization.name),
      member: personOf(scope, user, language),
      memberEmail: verifiedAddressOf(user),
      roles: roleNamesOf(scope, role, language),
      url: pageFor(scope, 'members'),
    },
    { memberWithAddress: withAddress(personOf(scope, user, language), verifiedAddressOf(user)) },
  )
}
