import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { randomDigits } from '../../kit/random.ts'
import { after, inWords } from '../../kit/time.ts'
import { composeMail } from '../../platform/mailer/layout.ts'
import { twoFactorOptions } from './two-factor.config.ts'

/** Codes by mail. Each belongs to one waiting sign-in, or to one session; a new one takes the place of the last. */
const kind = 'two-factor-otp'

export async function issueOtp(scope: Scope, holder: string, user: User): Promise<void> {
  const { digits, period, allowedAttempts } = twoFactorOptions.of(scope).otpOptions
  const { appName } = scope.settings
  const code = randomDigits(digits)
  await scope.records.put(kind, holder, {
    value: user.id,
    expiresAt: after(scope.now(), period).getTime(),
    code,
    maxAttempts: allowedAttempts,
  })
  await scope.mail(
    composeMail({
      to: user.email,
      appName,
      subject: `Your code for ${appName}`,
      heading: 'Your sign-in code',
      paragraphs: [`Hello ${user.name},`, 'type this code where you are signing in:'],
      code,
      note:
        `The code works once, for ${inWords(period)}. If you are not signing in, somebody knows your ` +
        'password: change it.',
    }),
  )
}

/** `gone`: there is no code, or it has expired. */
export type OtpTaken = 'right' | 'wrong' | 'too-many' | 'gone'

/** Uses a code: of any number of calls with the right one, one gets `right`. */
export async function takeOtp(scope: Scope, holder: string, code: string): Promise<OtpTaken> {
  const { kind: outcome } = await scope.records.take(kind, holder, { code })
  if (outcome === 'taken') return 'right'
  return outcome === 'wrong' || outcome === 'too-many' ? outcome : 'gone'
}
