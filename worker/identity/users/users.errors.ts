import { catalogue } from '../../kit/errors.ts'

/** Errors that several features use. */
export const coreErrors = catalogue({
  USER_NOT_FOUND: [404, 'User not found'],
  USER_ALREADY_EXISTS: [422, 'User already exists'],
  FAILED_TO_CREATE_USER: [422, 'Failed to create user'],
  FAILED_TO_UPDATE_USER: [400, 'Failed to update user'],
  FAILED_TO_CREATE_SESSION: [401, 'Failed to create session'],
  FAILED_TO_GET_SESSION: [400, 'Failed to get session'],
  INVALID_EMAIL: [400, 'Invalid email'],
  DISPOSABLE_EMAIL: [400, 'Temporary email addresses are not accepted'],
  INVALID_PASSWORD: [400, 'Invalid password'],
  INVALID_EMAIL_OR_PASSWORD: [401, 'Invalid email or password'],
  INVALID_TOKEN: [400, 'invalid token'],
  PASSWORD_TOO_SHORT: [400, 'Password too short'],
  PASSWORD_TOO_LONG: [400, 'Password too long'],
  PASSWORD_TOO_COMMON: [400, 'Password too common'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: [400, 'Credential account not found'],
  EMAIL_NOT_VERIFIED: [403, 'Email not verified'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  LAST_WAY_TO_SIGN_IN: [400, 'This is the last way to sign in to the account. Add another one first.'],
  /** A value that violates a rule of its additional field; the message and `issues` contain the rule. */
  INVALID_FIELD_VALUE: [400, 'Invalid field value'],
  SESSION_IS_NOT_FRESH: [403, 'Session is not fresh'],
})
