import type { FactorMethod } from '../../identity/model/method.ts'
import type { Scope } from '../../identity/scope.ts'
import { noteFailedSignIn } from '../../identity/security/sign-in-events.ts'
import { spendGuess } from '../../identity/verifications/guesses.ts'
import type { Work } from '../../identity/work.ts'
import { findBackupCode } from './backup-codes.ts'
import { findEnrolled, findGuesser, findMailed, findWaiting, holderOf, type Subject } from './code-owner.ts'
import { finish, type VerifiedFactor, type Wishes } from './finish.ts'
import { issueOtp, judgeOtp } from './otp.ts'
import { isFromNewPlace, needsNoRecord, readPending } from './pending.ts'
import { judgeTotp } from './totp.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'

/** A code with the options of the call. */
type GivenCode = { code: string } & Wishes

export const withoutSpaces = (code: string): string => code.replace(/\s/g, '')

/** A wrong code for a pending sign-in. In a session it is not an attempt to sign in. */
function noteWrong(scope: Scope, { at, user }: Subject, method: FactorMethod, isLast: boolean): void {
  if (at.kind === 'challenge') noteFailedSignIn(scope, { user, method, isLast })
}

/** A code of an authenticator app. The first one puts its secret in force. */
export async function verifyTotp(scope: Scope, { code, ...wishes }: GivenCode): Promise<VerifiedFactor> {
  if (twoFactorOptions.of(scope).totpOptions.disable) throw errors.TOTP_ISNT_CONFIGURED()
  const subject = await findEnrolled(scope, errors.TOTP_NOT_ENABLED)
  const right = await judgeTotp(scope, subject.records, withoutSpaces(code), (isLast) =>
    noteWrong(scope, subject, 'totp', isLast),
  )
  if (!right) throw errors.INVALID_CODE()
  return finish(scope, subject, { ...right, use: () => undefined, late: errors.INVALID_CODE }, wishes)
}

/** Mails a code. */
export async function sendOtp(scope: Scope): Promise<void> {
  if (twoFactorOptions.of(scope).otpOptions.disable) throw errors.OTP_ISNT_CONFIGURED()
  const subject = await findMailed(scope)
  if (subject.user.emailIsPlaceholder) throw errors.OTP_NOT_ENABLED()
  await issueOtp(scope, holderOf(subject), subject.user)
}

/** A mailed code. It may be the first code of a set-up, but never replaces a secret in force. */
export async function verifyOtp(scope: Scope, { code, ...wishes }: GivenCode): Promise<VerifiedFactor> {
  if (twoFactorOptions.of(scope).otpOptions.disable) throw errors.OTP_ISNT_CONFIGURED()
  const [judged, subject] = await findGuesser(
    scope,
    () => findMailed(scope),
    (userId, holder) => judgeOtp(scope, userId, holder, withoutSpaces(code)),
  )
  if (judged.kind === 'wrong' || judged.kind === 'too-many') noteWrong(scope, subject, 'email-otp', judged.isLast)
  if (judged.kind === 'gone') throw errors.OTP_HAS_EXPIRED()
  if (judged.kind === 'too-many') throw errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE()
  if (judged.kind !== 'right') throw errors.INVALID_CODE()
  const use = (work: Work) => work.use(judged.use)
  const right = { record: subject.record, guess: judged, use, late: errors.OTP_HAS_EXPIRED }
  return finish(scope, subject, right, wishes)
}

/** A backup code of the record in force. */
export async function verifyBackupCode(scope: Scope, { code, ...wishes }: GivenCode): Promise<VerifiedFactor> {
  const { guesses } = twoFactorOptions.of(scope)
  const [guess, subject] = await findGuesser(
    scope,
    () => findEnrolled(scope, errors.BACKUP_CODES_ARENT_ENABLED),
    (userId) => spendGuess(scope, `two-factor:backup-code:${userId}`, guesses),
  )
  const [record] = subject.records
  if (!record.confirmed) throw errors.BACKUP_CODES_ARENT_ENABLED()
  const use = await findBackupCode(scope, record, code)
  if (!use) {
    noteWrong(scope, subject, 'backup-code', guess.isLast)
    throw errors.INVALID_BACKUP_CODE()
  }
  return finish(scope, subject, { record, guess, use, late: errors.INVALID_BACKUP_CODE }, wishes)
}

/** The available second factors of a pending sign-in, for the screen. @throws INVALID_TWO_FACTOR_COOKIE */
export async function readChallenge(scope: Scope) {
  const { totpOptions, otpOptions } = twoFactorOptions.of(scope)
  const pending = readPending(scope)
  if (!pending) throw errors.INVALID_TWO_FACTOR_COOKIE()
  const { user, records } = await findWaiting(scope, pending)
  const isEnrolled = records.length > 0
  const methods: ('passkey' | 'totp' | 'otp' | 'backup-code')[] = [
    ...(pending.passkey ? (['passkey'] as const) : []),
    ...(totpOptions.disable || !isEnrolled ? [] : (['totp'] as const)),
    ...(otpOptions.disable || user.emailIsPlaceholder || !(isEnrolled || needsNoRecord(pending))
      ? []
      : (['otp'] as const)),
    ...(isEnrolled ? (['backup-code'] as const) : []),
  ]
  const expiresIn = Math.ceil((pending.expiresAt - scope.now().getTime()) / 1000)
  return {
    id: pending.id.slice(0, 8),
    methods,
    email: masked(user.email),
    expiresIn,
    newPlace: isFromNewPlace(pending),
  }
}

/** `a***@example.com`: the user can identify the mailbox. */
const masked = (email: string): string => email.replace(/^(.)[^@]*/, '$1***')
