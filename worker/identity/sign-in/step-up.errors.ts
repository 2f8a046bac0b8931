import { catalogue } from '../../kit/errors.ts'

/** Errors of a step-up, for all methods. */
export const stepUpErrors = catalogue({
  STEP_UP_METHOD_NOT_AVAILABLE: [400, 'This step-up method is not available for this account'],
  INVALID_CODE: [400, 'Invalid code'],
  OTP_HAS_EXPIRED: [400, 'OTP has expired'],
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: [400, 'Too many attempts. Please request a new code.'],
  CHALLENGE_NOT_FOUND: [400, 'Challenge not found'],
  AUTHENTICATION_FAILED: [400, 'Authentication failed'],
})
