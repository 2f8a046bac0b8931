import type { Scope } from '../../identity/scope.ts'
import { nameByAddress } from '../../identity/sessions/known-device.ts'
import type { User } from '../../identity/users/users.table.ts'
import { type GuessResult, spendCodeGuess } from '../../identity/verifications/one-time-codes.ts'
import type { AppError } from '../../kit/errors.ts'
import { emailCodeRules } from './email-otp.config.ts'
import type { CodeType } from './email-otp.contract.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { codeKind } from './email-otp.ts'

type RightGuess = Extract<GuessResult<object>, { kind: 'right' }>

/**
 * Takes one guess from the address's budget for this type of code; its owner's own browser has one for itself.
 * @param finding whoever has the address
 * @returns the check of the guess, which throws INVALID_OTP, OTP_EXPIRED or TOO_MANY_ATTEMPTS
 * @throws TOO_MANY_REQUESTS
 */
export async function spendGuess(
  scope: Scope,
  email: string,
  type: CodeType,
  finding: Promise<User | null>,
): Promise<(otp: string) => Promise<RightGuess>> {
  const guess = await spendCodeGuess(scope, {
    kind: codeKind(type),
    recipient: email,
    rules: emailCodeRules(scope),
    finding,
    owner: { name: nameByAddress(email), owns: (user) => user.email === email },
  })
  return async (otp) => {
    const result = await guess(otp)
    if (result.kind === 'right') return result
    throw refusal(result)
  }
}

function refusal(result: Exclude<GuessResult<object>, RightGuess>): AppError {
  if (result.kind === 'expired') return errors.OTP_EXPIRED()
  if (result.kind === 'too-many' || (result.kind === 'missing' && result.spent)) return errors.TOO_MANY_ATTEMPTS()
  return errors.INVALID_OTP()
}
