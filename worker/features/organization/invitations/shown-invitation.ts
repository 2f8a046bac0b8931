import type { Caller, Scope } from '../../../identity/scope.ts'
import { deriveKey, hmac } from '../../../kit/hash.ts'
import type { Invitation } from '../model/invitations.table.ts'
import type { Member } from '../model/members.table.ts'
import { memberMayInvite } from '../model/membership.ts'
import { presentInvitation } from '../model/present-membership.ts'

/** The id of an invitation for callers who must not have it: constant, of the same form, and without a meaning. */
const hiddenId = (scope: Scope, id: string): string =>
  hmac(deriveKey(scope.settings.secrets.at(-1)!, 'shown-invitation'), id)
    .slice(0, 32)
    .replace(/[-_]/g, 'x')

/** An unproven address does not make the caller the recipient. */
const isProvenRecipient = ({ user }: Caller, { email }: Invitation): boolean =>
  user.emailVerified && user.email === email

/** An invitation for members. Only the recipient and members who may grant the role get its id, which is a secret. */
export function showInvitation(scope: Scope, caller: Caller, member: Member, invitation: Invitation) {
  const knows = isProvenRecipient(caller, invitation) || memberMayInvite(scope, member, invitation.role)
  const { id } = invitation
  return presentInvitation(scope, { ...invitation, id: knows ? id : hiddenId(scope, id) })
}
