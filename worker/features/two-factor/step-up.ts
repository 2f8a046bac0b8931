import type { FactorMethod } from '../../identity/model/method.ts'
import type { Caller, Scope, StepUpFactor } from '../../identity/scope.ts'
import { secondFactor } from '../../identity/sessions/amr.ts'
import { stepUpErrors as errors } from '../../identity/sign-in/step-up.errors.ts'
import { confirmationMail } from '../../identity/sign-in/step-up.mails.ts'
import { completeStepUp } from '../../identity/sign-in/step-up.ts'
import { type Guess, onGuess, spendGuess } from '../../identity/verifications/guesses.ts'
import type { Work } from '../../identity/work.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { findBackupCode } from './backup-codes.ts'
import { issueOtp, judgeOtp } from './otp.ts'
import { judgeTotp } from './totp.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { hasFactorInForce, hasUnusedBackupCodes, recordsOf } from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'
import { withoutSpaces } from './verify.ts'

/** The second factor as a step-up, with the guess budgets of a sign-in. */

type GivenCode = { code: string }

interface RightCode {
  guess: Guess
  use(work: Work): void
}

/** The record in force. @throws STEP_UP_METHOD_NOT_AVAILABLE */
async function recordInForce(scope: Scope, { user }: Caller): Promise<TwoFactor> {
  const [record] = await recordsOf(scope.db, user.id, scope.now())
  if (!record?.confirmed) throw errors.STEP_UP_METHOD_NOT_AVAILABLE()
  return record
}

async function complete(
  scope: Scope,
  caller: Caller,
  method: FactorMethod,
  { guess, use }: RightCode,
  late: AppErrorKind = errors.INVALID_CODE,
) {
  const stepped = await onGuess(guess, () => completeStepUp(scope, caller, { method, amr: secondFactor, use, late }))
  guess.succeeded()
  return stepped
}

const totp: StepUpFactor = {
  method: 'totp',
  factor: 'second',
  isOffered: (scope) => !twoFactorOptions.of(scope).totpOptions.disable,
  has: hasFactorInForce,
  async verify(scope: Scope, caller: Caller, { code }: GivenCode) {
    const right = await judgeTotp(scope, [await recordInForce(scope, caller)], withoutSpaces(code))
    if (!right) throw errors.INVALID_CODE()
    return complete(scope, caller, 'totp', { guess: right.guess, use: () => undefined })
  },
}

const backupCode: StepUpFactor = {
  method: 'backup-code',
  factor: 'second',
  has: hasUnusedBackupCodes,
  async verify(scope: Scope, caller: Caller, { code }: GivenCode) {
    const { guesses } = twoFactorOptions.of(scope)
    const guess = await spendGuess(scope, `two-factor:backup-code:${caller.user.id}`, guesses)
    const use = await onGuess(guess, async () => findBackupCode(scope, await recordInForce(scope, caller), code))
    if (!use) throw errors.INVALID_CODE()
    return complete(scope, caller, 'backup-code', { guess, use })
  },
}

/** Separate from the codes of sign-ins and of other sessions. */
const holderOf = ({ session }: Caller): string => `step-up:${session.id}`

const mailedCode: StepUpFactor = {
  method: 'email-otp',
  factor: 'second',
  isOffered: (scope, user) => !twoFactorOptions.of(scope).otpOptions.disable && !user.emailIsPlaceholder,
  send: (scope, caller) => issueOtp(scope, holderOf(caller), caller.user, confirmationMail),
  async verify(scope: Scope, caller: Caller, { code }: GivenCode) {
    const judged = await judgeOtp(scope, caller.user.id, holderOf(caller), withoutSpaces(code))
    if (judged.kind === 'gone') throw errors.OTP_HAS_EXPIRED()
    if (judged.kind === 'too-many') throw errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE()
    if (judged.kind !== 'right') throw errors.INVALID_CODE()
    return complete(
      scope,
      caller,
      'email-otp',
      { guess: judged, use: (work) => work.use(judged.use) },
      errors.OTP_HAS_EXPIRED,
    )
  },
}

export const secondFactors: readonly StepUpFactor[] = [totp, mailedCode, backupCode]
