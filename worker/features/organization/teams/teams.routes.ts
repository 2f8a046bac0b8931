import { reading, routes } from '../../../http/routes.ts'
import { pageOf } from '../../../kit/page.ts'
import { membershipQuery } from '../model/membership.store.ts'
import { foundMembership, memberMay } from '../model/membership.ts'
import { presentTeam } from '../model/present-membership.ts'
import { changingErrors, organizationErrors as shared } from '../organization.errors.ts'
import { colleagueQuery, teamForQuery, teamMembersQuery, teamsOfUserQuery } from './team-members.store.ts'
import { addTeamMember, removeTeamMember, setActiveTeam } from './team-members.ts'
import { teamsContract } from './teams.contract.ts'
import { teamErrors as errors } from './teams.errors.ts'
import { teamsQuery } from './teams.store.ts'
import { createTeam, removeTeam, updateTeam } from './teams.ts'

/** The fields that members of other teams may see. */
const managing = { member: ['update'] }

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
      return {
        memberships: membershipQuery(scope.db, own.userId, key),
        teams: teamsQuery(scope.db, own.userId, key, pageOf(query)),
      }
    },
    ({ scope, caller, query }, { memberships: [found], teams }) => {
      foundMembership(scope, caller, query.organizationId, found, {
        missing: shared.NO_ACTIVE_ORGANIZATION,
        outside: shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION,
      })
      return teams.map(presentTeam)
    },
  ),
  addTeamMember: ({ scope, caller, body }) => addTeamMember(scope, caller, body),
  removeTeamMember: async ({ scope, caller, body }) => {
    await removeTeamMember(scope, caller, body)
    return { message: 'Team member removed successfully.' }
  },
  setActiveTeam: async ({ scope, caller, body }) => {
    const team = await setActiveTeam(scope, caller, body.teamId)
    return team && presentTeam(team)
  },
  listTeamMembers: reading(
    ({ scope, own, query }) => {
      const teamId = query.teamId || own.ofSession('activeTeamId')
      return {
        found: teamForQuery(scope.db, own.userId, teamId),
        members: teamMembersQuery(scope.db, own.userId, teamId, pageOf(query)),
      }
    },
    ({ scope, caller, query }, { found: [found], members }) => {
      if (!query.teamId && !caller.session.activeTeamId) throw errors.YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM()
      if (!found) throw shared.TEAM_NOT_FOUND()
      if (!found.isIn && !memberMay(scope, found.member, managing)) throw errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM()
      return members
    },
  ),
  listUserTeams: reading(
    ({ scope, own, query }) => {
      const { userId, organizationId } = query
      const key = { id: organizationId || own.ofSession('activeOrganizationId') }
      const asked = { own: own.userId, userId, key: organizationId || userId ? key : null }
      return {
        memberships: membershipQuery(scope.db, own.userId, key),
        colleagues: colleagueQuery(scope.db, own.userId, key, userId ?? ''),
        teams: teamsOfUserQuery(scope.db, asked, pageOf(query)),
      }
    },
    ({ scope, caller, query }, { memberships: [found], colleagues, teams }) => {
      if (!query.userId && !query.organizationId) return teams.map(presentTeam)
      const { member } = foundMembership(scope, caller, query.organizationId, found, {
        missing: shared.NO_ACTIVE_ORGANIZATION,
        outside: shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION,
      })
      if (query.userId && query.userId !== caller.user.id) {
        if (!memberMay(scope, member, managing)) throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER()
        if (colleagues.length === 0) throw changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION()
      }
      return teams.map(presentTeam)
    },
  ),
})
