import { catalogue } from '../../../kit/errors.ts'

export const memberErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: [403, 'You are not allowed to update this member'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: [403, 'You are not allowed to delete this member'],
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: [400, 'You cannot leave the organization as the only owner'],
  USER_NOT_FOUND: [400, 'User not found'],
})
