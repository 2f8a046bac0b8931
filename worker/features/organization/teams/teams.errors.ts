import { catalogue } from '../../../kit/errors.ts'

export const teamErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: [
    403,
    'You are not allowed to invite users to this organization',
  ],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: [
    403,
    'You are not allowed to create teams in this organization',
  ],
  /** To whoever was allowed to a moment ago. */
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM: [403, 'You are not allowed to create a new team'],
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: [403, 'You have reached the maximum number of teams'],
  TEAM_ALREADY_EXISTS: [400, 'Team already exists'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: [403, 'You are not allowed to delete this team'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: [
    403,
    'You are not allowed to delete teams in this organization',
  ],
  UNABLE_TO_REMOVE_LAST_TEAM: [400, 'Unable to remove last team'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: [403, 'You are not allowed to update this team'],
})
