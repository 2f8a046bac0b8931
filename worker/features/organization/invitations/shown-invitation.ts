import type { Caller, Scope } from '../../../identity/scope.ts'
import { hmac } from '../../../kit/hash.ts'
import type { Invitation } from '../membership/invitations.table.ts'
import type { Member } from '../membership/members.table.ts'
import { memberMayInvite } from '../membership/membership.ts'
import { presentInvitation } from '../membership/present-membership.ts'

/**
 * What stands in for an invitation's id before those who may not know it: always the same for one invitation, in the
 * form of an id, and an id of nothing.
 */
const standIn = (scope: Scope, id: string): string =>
  hmac(scope.settings.secrets.at(-1)!, `invitation:${id}`).slice(0, 32).replace(/[-_]/g, 'x')

/** Whether somebody has proven that an address is theirs. An address that is merely claimed opens nothing here. */
const isProvenRecipient = ({ user }: Caller, { email }: Invitation): boolean =>
  user.emailVerified && user.email === email

/**
 * An invitation as the members of its organization see it. Its id is a secret, because with it and the (unverified)
 * address anybody can accept: it is shown to the invited person and to those who may grant the invitation's role.
 */
export function showInvitation(scope: Scope, caller: Caller, member: Member, invitation: Invitation) {
  const knows = isProvenRecipient(caller, invitation) || memberMayInvite(scope, member, invitation.role)
  const { id } = invitation
  return presentInvitation(scope, { ...invitation, id: knows ? id : standIn(scope, id) })
}
