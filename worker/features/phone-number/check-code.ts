import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { type GuessResult, spendCodeGuess } from '../../identity/verifications/one-time-codes.ts'
import type { AppError } from '../../kit/errors.ts'
import { phoneCodeRules } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'

/** The name that guesses for a number are counted by, see identity/sessions/known-device.ts. */
export const nameByNumber = (phoneNumber: string): string => `phone:${phoneNumber}`

/**
 * Takes one guess from the number's budget for one kind of code; its owner's own browser has one for itself.
 * @param finding whoever has the number
 * @returns the function that looks at the guess
 * @throws TOO_MANY_REQUESTS
 */
export function spendGuess(scope: Scope, kind: string, phoneNumber: string, finding: Promise<User | null>) {
  return spendCodeGuess(scope, {
    kind,
    recipient: phoneNumber,
    rules: phoneCodeRules(scope),
    finding,
    owner: { name: nameByNumber(phoneNumber), owns: (user) => user.phoneNumber === phoneNumber },
  })
}

/** What a guess that is not right is answered with. */
export function codeRefusal({ kind }: Exclude<GuessResult<object>, { kind: 'right' }>): AppError {
  if (kind === 'expired') return errors.OTP_EXPIRED()
  if (kind === 'too-many') return errors.TOO_MANY_ATTEMPTS()
  return kind === 'missing' ? errors.OTP_NOT_FOUND() : errors.INVALID_OTP()
}
