import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { type Guess, tooManyGuesses } from '../../identity/verifications/guesses.ts'
import { usedStatement } from '../../identity/verifications/used-records.ts'
import { randomDigits } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { Statement } from '../../platform/statements.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { otpMail } from './two-factor.mails.ts'

/**
 * Codes by mail. Each belongs to one holder, which is a waiting sign-in or a session; a new one takes the place of the
 * last. A person's codes and the budget of guesses at them are one object.
 */
const kind = 'two-factor-otp'

const keyOf = (userId: string) => `${kind}:${userId}`

export async function issueOtp(scope: Scope, holder: string, user: User): Promise<void> {
  const { digits, period, allowedAttempts } = twoFactorOptions.of(scope).otpOptions
  const code = randomDigits(digits)
  const expiresAt = after(scope.now(), period).getTime()
  await scope.counters.putCode(keyOf(user.id), holder, { code, expiresAt, maxAttempts: allowedAttempts })
  await scope.mail(otpMail(scope, user, { code, expiresIn: period }))
}

/** A guess that has been counted. `gone`: there is no code, or it has expired. */
export type JudgedOtp = Guess &
  /** `use` belongs into the batch of what the code is for: of any number of parallel ones one commits. */
  ({ kind: 'right'; use: Statement } | { kind: 'wrong' | 'too-many' | 'gone' })

/**
 * Judges a guess at the code that was mailed for a holder, in one call to one object. A right one uses nothing yet.
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function judgeOtp(scope: Scope, userId: string, holder: string, code: string): Promise<JudgedOtp> {
  const judged = await scope.counters.judgeCode(
    keyOf(userId),
    twoFactorOptions.of(scope).otpOptions.guesses,
    holder,
    code,
  )
  if (judged.kind === 'limited') throw tooManyGuesses(judged.retryAfter)
  const guess: Guess = {
    rightly() {},
    giveBack: () => scope.counters.giveBack(keyOf(userId)).catch(() => {}),
  }
  if (judged.kind !== 'right') return { ...guess, kind: judged.kind }
  const use = usedStatement(scope, kind, `${holder}:${judged.serial}`, new Date(judged.expiresAt))
  return { ...guess, kind: 'right', use }
}
