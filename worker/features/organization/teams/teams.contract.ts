import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { nameInput } from '../../../kit/inputs.ts'
import { listOf, pageQuery } from '../../../kit/page.ts'
import { seconds } from '../../../kit/time.ts'
import { idInput, optionalOrganization, teamAnswer } from '../model/membership.schemas.ts'
import { changingErrors, organizationErrors as shared } from '../organization.errors.ts'
import { activatingErrors, teamErrors as errors } from './teams.errors.ts'

const teamName = nameInput.min(1).max(128)

const teamMemberAnswer = z
  .object({ id: z.string(), teamId: z.string(), userId: z.string(), createdAt: z.date() })
  .meta({ id: 'TeamMember' })

/** A user of a team, for the endpoints that change one. */
const teamMemberInput = z.object({
  teamId: idInput.min(1),
  userId: idInput.min(1),
  organizationId: optionalOrganization,
})

export const teamsContract = {
  createTeam: post('/organization/create-team', {
    summary: 'Creates a team',
    access: 'session',
    input: { body: z.object({ name: teamName, organizationId: optionalOrganization }) },
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
    budget: { d1: 3, durable: 1 },
    limits: { rate: { max: 30, window: seconds(60) } },
    changes: ['team'],
    audit: 'organization.create-team',
  }),
  removeTeam: post('/organization/remove-team', {
    summary: "Deletes a team other than the caller's own; its members remain in the organization",
    access: 'own-session',
    input: { body: z.object({ teamId: idInput.min(1), organizationId: optionalOrganization }) },
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
    audit: 'organization.remove-team',
    limits: { creates: 'ends' },
  }),
  updateTeam: post('/organization/update-team', {
    summary: 'Renames a team',
    access: 'session',
    input: {
      body: z.object({
        teamId: idInput,
        // The organization of the team, which never changes.
        data: z.object({ name: teamName.optional(), organizationId: optionalOrganization }),
      }),
    },
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
    audit: 'organization.update-team',
    limits: { creates: false },
  }),
  listTeams: get('/organization/list-teams', {
    summary: 'Lists the teams of an organization',
    access: 'session',
    input: { query: z.object({ organizationId: optionalOrganization, ...pageQuery }) },
    answer: listOf(teamAnswer),
    errors: [core.UNAUTHORIZED, shared.NO_ACTIVE_ORGANIZATION, shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION],
    budget: { d1: 1, read: 1100 },
    changes: [],
  }),
  addTeamMember: post('/organization/add-team-member', {
    summary: 'Adds a member of the organization to a team',
    access: 'session',
    input: { body: teamMemberInput },
    answer: teamMemberAnswer,
    errors: [
      core.UNAUTHORIZED,
      shared.NO_ACTIVE_ORGANIZATION,
      changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER,
      errors.TEAM_MEMBER_LIMIT_REACHED,
      shared.TEAM_NOT_FOUND,
    ],
    budget: { d1: 3 },
    limits: { rate: { max: 60, window: seconds(60) } },
    changes: ['team'],
    audit: 'organization.add-team-member',
  }),
  removeTeamMember: post('/organization/remove-team-member', {
    summary: 'Removes a user from a team; the user remains in the organization',
    access: 'session',
    input: { body: teamMemberInput },
    answer: z.object({ message: z.string() }),
    errors: [
      core.UNAUTHORIZED,
      shared.NO_ACTIVE_ORGANIZATION,
      changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER,
      errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM,
      shared.TEAM_NOT_FOUND,
    ],
    budget: { d1: 3 },
    changes: ['team'],
    audit: 'organization.remove-team-member',
    limits: { creates: 'ends' },
  }),
  setActiveTeam: post('/organization/set-active-team', {
    summary: 'Sets the active team of the session; null clears it',
    access: 'session',
    input: { body: z.object({ teamId: idInput.nullish() }) },
    answer: teamAnswer.nullable(),
    errors: [
      core.UNAUTHORIZED,
      shared.NO_ACTIVE_ORGANIZATION,
      shared.TEAM_NOT_FOUND,
      activatingErrors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM,
    ],
    budget: { d1: 3 },
    changes: ['session'],
    audit: 'organization.set-active-team',
    limits: { creates: false },
  }),
  listTeamMembers: get('/organization/list-team-members', {
    summary: 'Lists the members of a team, for its members and for callers who manage members',
    access: 'session',
    input: { query: z.object({ teamId: idInput.optional(), ...pageQuery }) },
    answer: listOf(teamMemberAnswer),
    errors: [
      core.UNAUTHORIZED,
      errors.YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM,
      shared.TEAM_NOT_FOUND,
      errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM,
    ],
    budget: { d1: 1, read: 1100 },
    changes: [],
  }),
  listUserTeams: get('/organization/list-user-teams', {
    summary: 'Lists the teams of the caller, or of another member for callers who manage members',
    access: 'session',
    input: { query: z.object({ userId: idInput.optional(), organizationId: optionalOrganization, ...pageQuery }) },
    answer: listOf(teamAnswer),
    errors: [
      core.UNAUTHORIZED,
      shared.NO_ACTIVE_ORGANIZATION,
      shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER,
      changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
    ],
    budget: { d1: 1, read: 1600 },
    changes: [],
  }),
}
