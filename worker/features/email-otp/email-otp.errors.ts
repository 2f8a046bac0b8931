import { catalogue } from '../../kit/errors.ts'

export const emailOtpErrors = catalogue({
  OTP_EXPIRED: [400, 'otp expired'],
  INVALID_OTP: [400, 'Invalid OTP'],
  INVALID_EMAIL: [400, 'Invalid email'],
  USER_NOT_FOUND: [400, 'User not found'],
  TOO_MANY_ATTEMPTS: [403, 'Too many attempts'],
})
