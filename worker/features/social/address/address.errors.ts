import { catalogue } from '../../../kit/errors.ts'

export const addressErrors = catalogue({
  /** This browser has no pending identity: it has expired, was used, or belongs to another browser. */
  NO_SIGN_IN_IS_WAITING: [404, 'No sign-in is pending in this browser. Start again at the provider'],
  INVALID_EMAIL: [400, 'Invalid email'],
  INVALID_OTP: [400, 'Invalid OTP'],
  OTP_EXPIRED: [400, 'otp expired'],
  TOO_MANY_ATTEMPTS: [403, 'Too many attempts'],
})
