import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { idInput, optionalOrganization, teamAnswer } from '../membership/membership.answers.ts'
import { organizationErrors as shared } from '../membership/membership.errors.ts'
import { teamErrors as errors } from './teams.errors.ts'

const nameInput = z.string().trim().min(1).max(128)

export const teamsContract = {
  createTeam: endpoint({
    method: 'POST',
    path: '/organization/create-team',
    summary: 'Creates a team',
    access: 'session',
    body: z.object({ name: nameInput, organizationId: optionalOrganization }),
    answer: teamAnswer,
    errors: [
      core.UNAUTHORIZED,
      shared.NO_ACTIVE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION,
      errors.TEAM_ALREADY_EXISTS,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM,
      errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS,
    ],
    budget: { d1: 3 },
    changes: ['team'],
  }),
  removeTeam: endpoint({
    method: 'POST',
    path: '/organization/remove-team',
    summary: "Removes a team, but not the caller's own; its members stay in the organization",
    access: 'own-session',
    body: z.object({ teamId: idInput.min(1), organizationId: optionalOrganization }),
    answer: z.object({ message: z.string() }),
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      shared.NO_ACTIVE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION,
      shared.TEAM_NOT_FOUND,
      errors.UNABLE_TO_REMOVE_LAST_TEAM,
    ],
    budget: { d1: 3 },
    changes: ['team'],
  }),
  updateTeam: endpoint({
    method: 'POST',
    path: '/organization/update-team',
    summary: 'Renames a team',
    access: 'session',
    body: z.object({
      teamId: idInput,
      // The organization that the team is in; a team never moves to another.
      data: z.object({ name: nameInput.optional(), organizationId: optionalOrganization }),
    }),
    answer: teamAnswer,
    errors: [
      core.UNAUTHORIZED,
      shared.NO_ACTIVE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM,
      shared.TEAM_NOT_FOUND,
      errors.TEAM_ALREADY_EXISTS,
    ],
    budget: { d1: 3 },
    changes: ['team'],
  }),
  listTeams: endpoint({
    method: 'GET',
    path: '/organization/list-teams',
    summary: "An organization's teams, for its members",
    access: 'session',
    query: z.object({ organizationId: optionalOrganization }),
    answer: z.array(teamAnswer),
    errors: [core.UNAUTHORIZED, shared.NO_ACTIVE_ORGANIZATION, shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION],
    budget: { d1: 1 },
    changes: [],
  }),
}
