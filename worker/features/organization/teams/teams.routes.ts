import { reading, routes } from '../../../http/routes.ts'
import { organizationErrors as shared } from '../membership/membership.errors.ts'
import { membershipQuery } from '../membership/membership.store.ts'
import { foundMembership } from '../membership/membership.ts'
import { presentTeam } from '../membership/present-membership.ts'
import { teamsContract } from './teams.contract.ts'
import { teamsQuery } from './teams.store.ts'
import { createTeam, removeTeam, updateTeam } from './teams.ts'

export const teamsRoutes = routes(teamsContract, {
  createTeam: async ({ scope, caller, body }) =>
    presentTeam(await createTeam(scope, caller, body.name, body.organizationId)),
  removeTeam: async ({ scope, caller, body }) => {
    await removeTeam(scope, caller, body.teamId, body.organizationId)
    return { message: 'Team removed successfully.' }
  },
  updateTeam: async ({ scope, caller, body }) => presentTeam(await updateTeam(scope, caller, body.teamId, body.data)),
  listTeams: reading(
    ({ scope, own, query }) => {
      const key = { id: query.organizationId || own.ofSession('activeOrganizationId') }
      return [membershipQuery(scope.db, own.userId, key), teamsQuery(scope.db, own.userId, key)]
    },
    ({ scope, caller, query }, [[found], teams]) => {
      foundMembership(scope, caller, query.organizationId, found, {
        missing: shared.NO_ACTIVE_ORGANIZATION,
        outside: shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION,
      })
      return teams.map(presentTeam)
    },
  ),
})
