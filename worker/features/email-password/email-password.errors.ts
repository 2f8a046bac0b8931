import { catalogue } from '../../kit/errors.ts'

export const emailPasswordErrors = catalogue({
  EMAIL_AND_PASSWORD_IS_NOT_ENABLED: [400, 'Email and password is not enabled'],
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: [400, 'Email and password sign up is not enabled'],
  RESET_PASSWORD_ISNT_ENABLED: [400, "Reset password isn't enabled"],
  USER_ALREADY_HAS_A_PASSWORD: [400, 'user already has a password'],
})
