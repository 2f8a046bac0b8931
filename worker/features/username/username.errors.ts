import { catalogue } from '../../kit/errors.ts'

export const usernameErrors = catalogue({
  INVALID_USERNAME_OR_PASSWORD: [401, 'invalid username or password'],
  EMAIL_NOT_VERIFIED: [403, 'email not verified'],
  USERNAME_IS_TOO_SHORT: [422, 'username is too short'],
  USERNAME_IS_TOO_LONG: [422, 'username is too long'],
  USERNAME_IS_INVALID: [422, 'username is invalid'],
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: [422, 'username is already taken. please try another.'],
  UNEXPECTED_ERROR: [500, 'unexpected error'],
  DISPLAY_USERNAME_IS_INVALID: [422, 'display username is invalid'],
})
