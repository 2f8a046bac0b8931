import { catalogue } from '../../kit/errors.ts'

export const phoneNumberErrors = catalogue({
  INVALID_PHONE_NUMBER: [400, 'Invalid phone number'],
  PHONE_NUMBER_ALREADY_EXISTS: [400, 'Phone number already exists'],
  INVALID_PHONE_NUMBER_OR_PASSWORD: [401, 'Invalid phone number or password'],
  UNEXPECTED_ERROR: [500, 'Unexpected error'],
  OTP_NOT_FOUND: [400, 'OTP not found'],
  OTP_EXPIRED: [400, 'OTP expired'],
  INVALID_OTP: [400, 'Invalid OTP'],
  PHONE_NUMBER_NOT_VERIFIED: [401, 'Phone number not verified'],
  TOO_MANY_ATTEMPTS: [403, 'Too many attempts'],
  PHONE_NUMBER_ISNT_REGISTERED: [400, "phone number isn't registered"],
  /** The strict profile accepts no number without its code. */
  PHONE_NUMBER_NEEDS_A_CODE: [400, 'A new phone number must be verified with the code that was sent to it'],
  USER_NOT_FOUND: [401, 'User not found'],
})
