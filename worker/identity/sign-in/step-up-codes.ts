import type { Caller, Scope } from '../scope.ts'
import { type CodeErrors, type CodeRules, spendCodeGuess } from '../verifications/one-time-codes.ts'
import { speaksFor } from '../verifications/verifications.ts'
import type { Work } from '../work.ts'
import { stepUpErrors as errors } from './step-up.errors.ts'
import type { SteppedUp } from './step-up.ts'

const codeErrors: CodeErrors = {
  wrong: errors.INVALID_CODE,
  expired: errors.OTP_HAS_EXPIRED,
  missing: errors.OTP_HAS_EXPIRED,
  'too-many': errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE,
  spent: errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE,
}

/**
 * Verifies a code of a step-up. Such codes have a separate kind and belong to one session: the recipient of their
 * record is the session's id. The budget of guesses is the user's, over all sessions.
 * @returns the proof that completes the step-up and uses the code
 * @throws INVALID_CODE, OTP_HAS_EXPIRED, TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE, TOO_MANY_REQUESTS
 */
export async function verifyConfirmationCode(
  scope: Scope,
  { session, user }: Caller,
  kind: string,
  rules: Pick<CodeRules, 'guesses'>,
  code: string,
): Promise<(complete: (use: (work: Work) => void) => Promise<SteppedUp>) => Promise<SteppedUp>> {
  const finding = Promise.resolve(user)
  const guess = { kind, recipient: session.id, rules, errors: codeErrors, finding, budget: user.id }
  const check = await spendCodeGuess(scope, guess)
  const right = await check(code.replace(/\s/g, ''))
  if (!speaksFor(right.data, user)) throw errors.INVALID_CODE()
  return (complete) => right.complete(() => complete((work) => work.use(right.use)))
}
