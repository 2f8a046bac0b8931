import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { memberErrors } from './members/members.errors.ts'
import { organizationOptions } from './organization.config.ts'
import { deleteOrganizationsOf, listOwnedAlone, ownsNobodyAlone } from './organization.store.ts'

/** What the hosted screens are told: that there are organizations, and what each role may do (kit/permissions.ts). */
export function tellOfOrganizations(scope: Scope) {
  const { roles, creatorRole, teams, disableOrganizationDeletion, allowUserToCreateOrganization, invitationExpiresIn } =
    organizationOptions.of(scope)
  return {
    features: { organization: true, teams: teams.enabled },
    lifetimes: { invitation: invitationExpiresIn },
    organization: {
      roles,
      creatorRole,
      deletable: !disableOrganizationDeletion,
      // A function decides person by person: then the answer to the attempt tells.
      creatable: allowUserToCreateOrganization !== false,
    },
  }
}

/**
 * Nobody deletes their own account while others depend on them as an only owner; an administrator may delete it all
 * the same. Organizations without anybody else go with their owner.
 * @throws YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER
 * @returns what must still hold when the user is deleted: two owners may go at the same moment
 */
export async function keepAnOwner(scope: Scope, user: User) {
  const { creatorRole } = organizationOptions.of(scope)
  const owned = await listOwnedAlone(scope.db, user.id, creatorRole)
  const caller = await scope.caller()
  const themselves = caller?.user.id === user.id
  if (themselves && owned.some(({ members }) => members > 1)) {
    throw memberErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER()
  }
  const empty = owned.filter(({ members }) => members === 1).map(({ id }) => id)
  return {
    condition: themselves ? ownsNobodyAlone(user.id, creatorRole) : undefined,
    statements: empty.length > 0 ? [deleteOrganizationsOf(scope.db, user.id, empty)] : [],
  }
}
