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
  /** The roles of the member have changed since the check. */
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
  TEAM_MEMBER_LIMIT_REACHED: [403, 'Team member limit reached'],
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: [400, 'User is not a member of the team'],
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: [400, 'You do not have an active team'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: [403, 'You are not allowed to create a new member'],
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: [403, 'You are not allowed to remove a team member'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: [403, 'You are not allowed to update this member'],
})

/** The protocol has another status for the activation of a team. */
export const activatingErrors = catalogue({
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: [403, 'User is not a member of the team'],
})
