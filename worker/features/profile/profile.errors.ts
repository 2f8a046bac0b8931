import { catalogue } from '../../kit/errors.ts'

export const profileErrors = catalogue({
  NOT_FOUND: [404, 'Not Found'],
  EMAIL_CAN_NOT_BE_UPDATED: [400, 'Email can not be updated'],
  CHANGE_EMAIL_IS_DISABLED: [400, 'Change email is disabled'],
  EMAIL_IS_THE_SAME: [400, 'Email is the same'],
  COULDNT_UPDATE_YOUR_EMAIL: [400, "Couldn't update your email"],
  /** The link remains valid. It works after the other account is deleted or changes its address. */
  EMAIL_TAKEN_BY_ANOTHER_ACCOUNT: [409, 'Another account uses this email address'],
  VERIFICATION_EMAIL_ISNT_ENABLED: [400, "Verification email isn't enabled"],
  INVALID_TOKEN: [404, 'invalid token'],
  FAILED_TO_GET_USER_INFO: [404, 'Failed to get user info'],
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: [
    400,
    'Session expired. Re-authenticate to perform this action.',
  ],
  USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT: [
    400,
    'User already has a password. Provide that to delete the account.',
  ],
  USER_CANNOT_BE_DELETED_PLEASE_PROVIDE_A_PASSWORD_OR_TOKEN: [
    400,
    'User cannot be deleted. please provide a password or token',
  ],
})
