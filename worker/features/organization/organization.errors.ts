import { catalogue } from '../../kit/errors.ts'

/** Shared by the sub-features: members, invitations, teams, roles. */
export const organizationErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: [403, 'You are not allowed to create a new organization'],
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: [403, 'You have reached the maximum number of organizations'],
  ORGANIZATION_ALREADY_EXISTS: [400, 'Organization already exists'],
  ORGANIZATION_NOT_FOUND: [400, 'Organization not found'],
  SLUG_IS_TAKEN: [400, 'slug is taken'],
  NO_ACTIVE_ORGANIZATION: [400, 'No active organization'],
  ORGANIZATION_ID_IS_REQUIRED: [400, 'Organization ID is required'],
  /** For reads: only members see an organization. */
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: [403, 'User is not a member of the organization'],
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: [403, 'You are not a member of this organization'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: [403, 'You are not allowed to update this organization'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: [403, 'You are not allowed to delete this organization'],
  MEMBER_NOT_FOUND: [400, 'Member not found'],
  ROLE_NOT_FOUND: [400, 'Role not found'],
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: [400, 'User is already a member of this organization'],
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: [403, 'Organization membership limit reached'],
  TEAM_NOT_FOUND: [400, 'Team not found'],
  TEAMS_ARE_NOT_ENABLED: [400, 'Teams are not enabled'],
})

/** The protocol has another status for changes. */
export const changingErrors = catalogue({
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: [400, 'User is not a member of the organization'],
})
