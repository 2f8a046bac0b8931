import type { Scope } from '../../../identity/scope.ts'
import { composeMail } from '../../../platform/mailer/layout.ts'
import type { Organization } from '../organization.table.ts'
import type { MemberUser } from '../present-organization.ts'
import { namesOf } from '../role-names.ts'

export const mailRoleChanged = (scope: Scope, organization: Organization, user: MemberUser, role: string) =>
  scope.mail(
    composeMail({
      kind: 'membership',
      to: user.email,
      appName: scope.settings.appName,
      subject: `Your role at ${organization.name} has changed`,
      heading: `Your role at ${organization.name} has changed`,
      paragraphs: [`Hello ${user.name},`, `at ${organization.name} you are now ${namesOf(role)}.`],
      action: { label: `Open ${organization.name}`, url: `${scope.settings.baseUrl}/organization/members` },
    }),
  )

export const mailRemoved = (scope: Scope, organization: Organization, user: MemberUser) =>
  scope.mail(
    composeMail({
      kind: 'membership',
      to: user.email,
      appName: scope.settings.appName,
      subject: `You are no longer a member of ${organization.name}`,
      heading: `You are no longer a member of ${organization.name}`,
      paragraphs: [
        `Hello ${user.name},`,
        `you have been removed from ${organization.name}. Your own account stays as it is.`,
      ],
      note: `If you think that this is a mistake, ask an owner of ${organization.name} to invite you again.`,
    }),
  )
