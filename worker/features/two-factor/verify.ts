import type { Scope } from '../../identity/scope.ts'
import { spendGuess } from '../../identity/verifications/guesses.ts'
import { findBackupCode } from './backup-codes.ts'
import { finish, type Verified, type Wishes } from './finish.ts'
import { issueOtp, judgeOtp } from './otp.ts'
import { readPending } from './pending.ts'
import { findGuesser, findSubject, findWaiting, holderOf } from './subject.ts'
import { judgeTotp } from './totp.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'

/** A code as it was given, and what is wanted with it. */
type GivenCode = { code: string } & Wishes

const withoutSpaces = (code: string): string => code.replace(/\s/g, '')

/** A code of an authenticator app. The first one puts its secret in force. @throws see the contract */
export async function verifyTotp(scope: Scope, { code, ...wishes }: GivenCode): Promise<Verified> {
  if (twoFactorOptions.of(scope).totpOptions.disable) throw errors.TOTP_ISNT_CONFIGURED()
  const subject = await findSubject(scope, errors.TOTP_NOT_ENABLED)
  const right = await judgeTotp(scope, subject.records, withoutSpaces(code))
  if (!right) throw errors.INVALID_CODE()
  return finish(scope, subject, { ...right, use: [], late: errors.INVALID_CODE }, wishes)
}

/** Mails a code. @throws see the contract */
export async function sendOtp(scope: Scope): Promise<void> {
  if (twoFactorOptions.of(scope).otpOptions.disable) throw errors.OTP_ISNT_CONFIGURED()
  const subject = await findSubject(scope, errors.OTP_NOT_ENABLED)
  if (subject.user.emailIsPlaceholder) throw errors.OTP_NOT_ENABLED()
  await issueOtp(scope, holderOf(subject), subject.user)
}

/** A mailed code. It may be the first code of a set-up, but never replaces a secret in force. @throws see the contract */
export async function verifyOtp(scope: Scope, { code, ...wishes }: GivenCode): Promise<Verified> {
  if (twoFactorOptions.of(scope).otpOptions.disable) throw errors.OTP_ISNT_CONFIGURED()
  const [judged, subject] = await findGuesser(scope, errors.OTP_NOT_ENABLED, (userId, holder) =>
    judgeOtp(scope, userId, holder, withoutSpaces(code)),
  )
  if (judged.kind === 'gone') throw errors.OTP_HAS_EXPIRED()
  if (judged.kind === 'too-many') throw errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE()
  if (judged.kind !== 'right') throw errors.INVALID_CODE()
  const right = { record: subject.records[0], guess: judged, use: [judged.use], late: errors.OTP_HAS_EXPIRED }
  return finish(scope, subject, right, wishes)
}

/** A backup code of the record in force. @throws see the contract */
export async function verifyBackupCode(scope: Scope, { code, ...wishes }: GivenCode): Promise<Verified> {
  const { guesses } = twoFactorOptions.of(scope)
  const [guess, subject] = await findGuesser(scope, errors.BACKUP_CODES_ARENT_ENABLED, (userId) =>
    spendGuess(scope, `two-factor:backup-code:${userId}`, guesses),
  )
  const [record] = subject.records
  if (!record.confirmed) throw errors.BACKUP_CODES_ARENT_ENABLED()
  const use = await findBackupCode(scope, record, code)
  if (!use) throw errors.INVALID_BACKUP_CODE()
  return finish(scope, subject, { record, guess, use, late: errors.INVALID_BACKUP_CODE }, wishes)
}

/** What a waiting sign-in may be finished with, for the screen that asks. @throws INVALID_TWO_FACTOR_COOKIE */
export async function readChallenge(scope: Scope) {
  const { totpOptions, otpOptions } = twoFactorOptions.of(scope)
  const pending = readPending(scope)
  if (!pending) throw errors.INVALID_TWO_FACTOR_COOKIE()
  const { user } = await findWaiting(scope, pending)
  const methods: ('totp' | 'otp' | 'backup-code')[] = [
    ...(totpOptions.disable ? [] : (['totp'] as const)),
    ...(otpOptions.disable || user.emailIsPlaceholder ? [] : (['otp'] as const)),
    'backup-code',
  ]
  const expiresIn = Math.ceil((pending.expiresAt - scope.now().getTime()) / 1000)
  return { methods, email: masked(user.email), expiresIn }
}

/** `a***@example.com`: enough to know one's own mailbox by. */
const masked = (email: string): string => email.replace(/^(.)[^@]*/, '$1***')
