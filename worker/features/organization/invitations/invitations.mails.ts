import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { withQuery } from '../../../kit/urls.ts'
import { composeMail } from '../../../platform/mailer/layout.ts'
import type { Invitation } from '../membership/invitations.table.ts'
import type { Organization } from '../membership/organizations.table.ts'
import { greeting, namesOf, personOf, personWithAddress } from '../membership/words.ts'

type Person = Pick<User, 'name' | 'email' | 'emailVerified'>

/** Written out in the one language of our mails, and in universal time, which says so. */
const written = (moment: Date): string =>
  moment.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export function invitationMail(scope: Scope, organization: Organization, inviter: Person, invitation: Invitation) {
  const name = plainWords(organization.name)
  const { email, role, expiresAt, id } = invitation
  return composeMail({
    kind: 'invitation',
    to: email,
    appName: scope.settings.appName,
    subject: `${personOf(inviter)} invites you to ${name}`,
    heading: `You are invited to ${name}`,
    paragraphs: [
      `${personWithAddress(inviter)} invites you to join ${name} as ${namesOf(role ?? 'member')}.`,
      `Sign in with ${email}, or create an account with this address. The invitation is valid until ${written(expiresAt)} UTC.`,
    ],
    action: {
      label: 'See the invitation',
      url: withQuery(`${scope.settings.baseUrl}/accept-invitation`, { id }),
    },
    note: 'If you do not know the sender, ignore this mail: nothing happens unless you accept.',
  })
}

export function acceptedMail(scope: Scope, organization: Organization, inviter: Person, user: Person, role: string) {
  const name = plainWords(organization.name)
  const joined = `${personOf(user)} has joined ${name}`
  return composeMail({
    kind: 'membership',
    to: inviter.email,
    appName: scope.settings.appName,
    subject: joined,
    heading: joined,
    paragraphs: [
      greeting(inviter),
      `${personWithAddress(user)} has accepted your invitation and is now ${namesOf(role)} at ${name}.`,
    ],
    action: { label: 'See the members', url: `${scope.settings.baseUrl}/organization/members` },
  })
}
