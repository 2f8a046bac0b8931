import { sendMailAfter } from '../../identity/messages/send.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { type Guess, tooManyGuesses } from '../../identity/verifications/guesses.ts'
import type { SingleUse } from '../../identity/work.ts'
import { randomDigits } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { otpMail } from './two-factor.mails.ts'

/** Codes by mail, one for each holder (waiting sign-in or session). A user's codes and guess budget are one object. */
const kind = 'two-factor-otp'

const keyOf = (userId: string) => `${kind}:${userId}`

/** @param compose the mail with the code */
export async function issueOtp(scope: Scope, holder: string, user: User, compose = otpMail): Promise<void> {
  const { digits, period, allowedAttempts } = twoFactorOptions.of(scope).otpOptions
  const code = randomDigits(digits)
  const expiresAt = after(scope.now(), period).getTime()
  await scope.counters.putCode(keyOf(user.id), holder, { code, expiresAt, maxAttempts: allowedAttempts })
  await sendMailAfter(scope, await compose(scope, user, { code, expiresIn: period }))
}

/** A counted guess. `gone`: the code does not exist or has expired. */
export type JudgedOtp = Guess &
  /** `use` is for the unit of work of the code's effect: of parallel right guesses, one commits. */
  ({ kind: 'right'; use: SingleUse } | { kind: 'wrong' | 'too-many' | 'gone' })

/** Judges a guess at a holder's mailed code, in one call. A right one uses nothing yet. @throws TOO_MANY_REQUESTS */
export async function judgeOtp(scope: Scope, userId: string, holder: string, code: string): Promise<JudgedOtp> {
  const judged = await scope.counters.judgeCode(
    keyOf(userId),
    twoFactorOptions.of(scope).otpOptions.guesses,
    holder,
    code,
  )
  if (judged.kind === 'limited') throw tooManyGuesses(judged.retryAfter)
  const guess: Guess = {
    isLast: judged.kind !== 'right' && judged.isLast,
    succeeded() {},
    giveBack: () => scope.counters.giveBack(keyOf(userId)).catch(() => {}),
  }
  if (judged.kind !== 'right') return { ...guess, kind: judged.kind }
  const use = { kind, token: `${holder}:${judged.serial}`, expiresAt: new Date(judged.expiresAt) }
  return { ...guess, kind: 'right', use }
}
