import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { usedStatement } from '../../identity/verifications/used-records.ts'
import { randomDigits } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { Statement } from '../../platform/statements.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { otpMail } from './two-factor.mails.ts'

/** Codes by mail. Each belongs to one waiting sign-in, or to one session; a new one takes the place of the last. */
const kind = 'two-factor-otp'

export async function issueOtp(scope: Scope, holder: string, user: User): Promise<void> {
  const { digits, period, allowedAttempts } = twoFactorOptions.of(scope).otpOptions
  const code = randomDigits(digits)
  await scope.records.put(kind, holder, {
    value: user.id,
    expiresAt: after(scope.now(), period).getTime(),
    code,
    maxAttempts: allowedAttempts,
  })
  await scope.mail(otpMail(scope, user, { code, expiresIn: period }))
}

/** `gone`: there is no code, or it has expired. */
export type JudgedOtp =
  /** `use` belongs into the batch of what the code is for: of any number of parallel ones one commits. */
  { kind: 'right'; use: Statement; drop(): void } | { kind: 'wrong' | 'too-many' | 'gone' }

/** Judges a guess at the code that was mailed for a holder. A right one uses nothing yet. */
export async function judgeOtp(scope: Scope, holder: string, code: string): Promise<JudgedOtp> {
  const judged = await scope.records.judge(kind, holder, code)
  if (judged.kind === 'wrong' || judged.kind === 'too-many') return { kind: judged.kind }
  if (judged.kind !== 'right') return { kind: 'gone' }
  return {
    kind: 'right',
    use: usedStatement(scope, kind, `${holder}:${judged.serial}`, new Date(judged.expiresAt)),
    drop: () => scope.after(() => scope.records.drop(kind, holder)),
  }
}
