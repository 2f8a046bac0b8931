import type { Scope } from '../../../identity/scope.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { composeMail } from '../../../platform/mailer/layout.ts'
import type { Organization } from '../membership/organizations.table.ts'
import type { MemberUser } from '../membership/present-membership.ts'
import { greeting, namesOf } from '../membership/words.ts'

export function roleChangedMail(scope: Scope, organization: Organization, user: MemberUser, role: string) {
  const name = plainWords(organization.name)
  return composeMail({
    kind: 'membership',
    to: user.email,
    appName: scope.settings.appName,
    subject: `Your role at ${name} has changed`,
    heading: `Your role at ${name} has changed`,
    paragraphs: [greeting(user), `at ${name} you are now ${namesOf(role)}.`],
    action: { label: `Open ${name}`, url: `${scope.settings.baseUrl}/organization/members` },
  })
}

export function removedMail(scope: Scope, organization: Organization, user: MemberUser) {
  const name = plainWords(organization.name)
  return composeMail({
    kind: 'membership',
    to: user.email,
    appName: scope.settings.appName,
    subject: `You are no longer a member of ${name}`,
    heading: `You are no longer a member of ${name}`,
    paragraphs: [greeting(user), `you have been removed from ${name}. Your own account stays as it is.`],
    note: `If you think that this is a mistake, ask an owner of ${name} to invite you again.`,
  })
}
