import type { GuessResult } from '../../identity/verifications/one-time-codes.ts'
import type { AppError } from '../../kit/errors.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'

/** What a guess that is not right is answered with. */
export function codeRefusal({ kind }: Exclude<GuessResult<object>, { kind: 'right' }>): AppError {
  if (kind === 'expired') return errors.OTP_EXPIRED()
  if (kind === 'too-many') return errors.TOO_MANY_ATTEMPTS()
  return kind === 'missing' ? errors.OTP_NOT_FOUND() : errors.INVALID_OTP()
}
