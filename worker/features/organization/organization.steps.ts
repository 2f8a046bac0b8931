import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Work } from '../../identity/work.ts'
import type { Permissions } from '../../kit/permissions.ts'
import type { Expression } from '../../platform/statements.ts'
import { memberErrors } from './members/members.errors.ts'
import { organizationOfNewSession } from './model/active-organization.store.ts'
import { findMembership } from './model/membership.store.ts'
import { memberMay } from './model/membership.ts'
import { organizationOptions } from './model/organization.config.ts'
import { isNotOnlyOwner, leaveOrganizations, ownsAlone } from './organization.store.ts'

/** The active organization of a new session. */
export const organizationOfSession = (scope: Scope, { id }: User): { activeOrganizationId?: Expression } =>
  organizationOptions.of(scope).activateOnSignIn ? { activeOrganizationId: organizationOfNewSession(id) } : {}

/** Whether a user is a member whose roles allow all requested actions. */
export async function actsFor(scope: Scope, userId: string, organizationId: string, wanted: Permissions) {
  const membership = await findMembership(scope.db, userId, organizationId)
  return membership !== null && memberMay(scope, membership.member, wanted)
}

/**
 * `deletingUser`: the only owner of an organization with other members remains, except for an administrator.
 * Organizations without other members are deleted in the same batch.
 */
export async function keepAnOwner(scope: Scope, { id }: User, work: Work): Promise<void> {
  if ((await scope.caller())?.user.id === id) {
    const { creatorRole } = organizationOptions.of(scope)
    const refused = memberErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER
    if (await ownsAlone(scope.db, id, creatorRole)) throw refused()
    // Two owners may delete their accounts at the same moment.
    work.require(isNotOnlyOwner(id, creatorRole), refused)
  }
  leaveOrganizations(scope, work, id)
}
