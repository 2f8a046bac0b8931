import { catalogue } from '../../../kit/errors.ts'

export const emailVerificationErrors = catalogue({
  VERIFICATION_EMAIL_ISNT_ENABLED: [400, "Verification email isn't enabled"],
  USER_NOT_FOUND: [400, 'User not found'],
  TOKEN_EXPIRED: [401, 'token_expired'],
  INVALID_TOKEN: [401, 'invalid_token'],
  TOKEN_USER_NOT_FOUND: [401, 'user_not_found'],
  UNAUTHORIZED: [401, 'unauthorized'],
})
