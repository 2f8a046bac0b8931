import { pageFor } from '../../identity/pages.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { mayDo } from '../../kit/permissions.ts'
import { memberErrors } from './members/members.errors.ts'
import { organizationOptions } from './membership/membership.config.ts'
import { findMembership } from './membership/membership.store.ts'
import {
  deleteOrganizationsOf,
  isOnlyOwnerOfOthers,
  type LeftOrganization,
  othersHaveAnOwnerWithout,
} from './organization.store.ts'

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
      invitationPage: pageFor(scope, 'acceptInvitation'),
    },
  }
}

/** `managing`: owners and administrators act for their organization, as whoever may change it. */
export async function managesOrganization(scope: Scope, { user }: Caller, organizationId: string): Promise<boolean> {
  const membership = await findMembership(scope.db, user.id, organizationId)
  return (
    membership !== null &&
    mayDo(organizationOptions.of(scope).roles, membership.member.role, { organization: ['update'] })
  )
}

/**
 * Nobody deletes their own account while others depend on them as an only owner; an administrator may delete it all
 * the same. Organizations without anybody else go with their last member, in the same batch.
 * @throws YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER
 * @returns what must still hold when the user is deleted: two owners may go at the same moment
 */
export async function keepAnOwner(scope: Scope, { id }: User) {
  const { creatorRole } = organizationOptions.of(scope)
  const themselves = (await scope.caller())?.user.id === id
  if (themselves && (await isOnlyOwnerOfOthers(scope.db, id, creatorRole))) {
    throw memberErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER()
  }
  return {
    condition: themselves ? othersHaveAnOwnerWithout(scope.db, id, creatorRole) : undefined,
    statements: deleteOrganizationsOf(scope, id),
    deleted: async ([left]: readonly unknown[]) => {
      for (const { organization, member, alone } of left as LeftOrganization[]) {
        for (const react of scope.lifecycle.memberRemoved) await react(scope, { organization, member })
        if (!alone) continue
        for (const react of scope.lifecycle.organizationDeleted) await react(scope, organization)
      }
    },
  }
}
