import { routes } from '../../../http/routes.ts'
import { presentTeam } from '../present-organization.ts'
import { teamsContract } from './teams.contract.ts'
import { createTeam, listTeams, removeTeam, updateTeam } from './teams.ts'

export const teamsRoutes = routes(teamsContract, {
  createTeam: async ({ scope, caller, body }) =>
    presentTeam(await createTeam(scope, caller, body.name, body.organizationId)),
  removeTeam: async ({ scope, caller, body }) => {
    await removeTeam(scope, caller, body.teamId, body.organizationId)
    return { message: 'Team removed successfully.' }
  },
  updateTeam: async ({ scope, caller, body }) => presentTeam(await updateTeam(scope, caller, body.teamId, body.data)),
  listTeams: async ({ scope, caller, query }) =>
    (await listTeams(scope, caller, query.organizationId)).map(presentTeam),
})
