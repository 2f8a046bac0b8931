import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { pageSize } from '../../kit/page.ts'
import { splitRoles } from '../../kit/permissions.ts'
import { organizationOptions } from './model/organization.config.ts'
import { membershipsWithTeams } from './organization.store.ts'

/** The claim of one organization. */
export interface OrganizationClaim {
  id: string
  slug: string
  name: string
  roles: string[]
  /** Names, with teams only. */
  teams?: string[]
}

async function organizationsOf(scope: Scope, { id }: User): Promise<OrganizationClaim[]> {
  scope.io.declare({ d1: 1 })
  const rows = await membershipsWithTeams(scope.db, id)
  const withTeams = organizationOptions.of(scope).teams.enabled
  return rows.map(({ role, teams, ...organization }) => ({
    ...organization,
    roles: splitRoles(role),
    ...(withTeams ? { teams } : {}),
  }))
}

/**
 * Scope `organizations`: the organizations of a user with the roles there. Scope `groups`: the same as a list of texts, for
 * applications that know groups only: `acme`, `acme:owner` for a role and `acme/Design` for a team.
 */
export const organizationClaims = {
  organizations: async (scope: Scope, user: User) => ({ organizations: await organizationsOf(scope, user) }),
  groups: async (scope: Scope, user: User) => ({
    groups: (await organizationsOf(scope, user))
      .flatMap(({ slug, roles, teams = [] }) => [
        slug,
        ...roles.map((role) => `${slug}:${role}`),
        ...teams.map((team) => `${slug}/${team}`),
      ])
      .slice(0, pageSize),
  }),
}
