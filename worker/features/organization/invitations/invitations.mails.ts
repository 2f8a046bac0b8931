import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { withQuery } from '../../../kit/urls.ts'
import { composeMail } from '../../../platform/mailer/layout.ts'
import type { Organization } from '../organization.table.ts'
import { namesOf } from '../role-names.ts'
import type { Invitation } from './invitations.table.ts'

/** Written out in the one language of our mails, and in universal time, which says so. */
const written = (moment: Date): string =>
  moment.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export const mailInvitation = (scope: Scope, organization: Organization, inviter: User, invitation: Invitation) =>
  scope.mail(
    composeMail({
      kind: 'invitation',
      to: invitation.email,
      appName: scope.settings.appName,
      subject: `${inviter.name} invites you to ${organization.name}`,
      heading: `You are invited to ${organization.name}`,
      paragraphs: [
        `${inviter.name} (${inviter.email}) invites you to join ${organization.name} as ${namesOf(invitation.role ?? 'member')}.`,
        `Sign in with ${invitation.email}, or create an account with this address. The invitation is valid until ${written(invitation.expiresAt)} UTC.`,
      ],
      action: {
        label: 'See the invitation',
        url: withQuery(`${scope.settings.baseUrl}/accept-invitation`, { id: invitation.id }),
      },
      note: 'If you do not know the sender, ignore this mail: nothing happens unless you accept.',
    }),
  )

export const mailAccepted = (
  scope: Scope,
  organization: Organization,
  inviter: { name: string; email: string },
  user: User,
  role: string,
) =>
  scope.mail(
    composeMail({
      kind: 'membership',
      to: inviter.email,
      appName: scope.settings.appName,
      subject: `${user.name} has joined ${organization.name}`,
      heading: `${user.name} has joined ${organization.name}`,
      paragraphs: [
        `Hello ${inviter.name},`,
        `${user.name} (${user.email}) has accepted your invitation and is now ${namesOf(role)} at ${organization.name}.`,
      ],
      action: { label: 'See the members', url: `${scope.settings.baseUrl}/organization/members` },
    }),
  )
