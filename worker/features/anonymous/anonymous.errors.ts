import { catalogue } from '../../kit/errors.ts'

export const anonymousErrors = catalogue({
  FAILED_TO_CREATE_USER: [500, 'Failed to create user'],
  COULD_NOT_CREATE_SESSION: [400, 'Could not create session'],
  ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY: [400, 'Anonymous users cannot sign in again anonymously'],
})
