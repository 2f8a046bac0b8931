import { catalogue } from '../../../kit/errors.ts'

export const addressErrors = catalogue({
  /** No identity waits in this browser: it took too long, was used, or began in another one. */
  NO_SIGN_IN_IS_WAITING: [404, 'No sign-in is waiting here. Start again at the provider'],
  INVALID_EMAIL: [400, 'Invalid email'],
  INVALID_OTP: [400, 'Invalid OTP'],
  OTP_EXPIRED: [400, 'otp expired'],
  TOO_MANY_ATTEMPTS: [403, 'Too many attempts'],
})
