import type { Caller, Scope } from '../../identity/scope.ts'
import { completeSignIn } from '../../identity/sign-in.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import type { User } from '../../identity/users/users.table.ts'
import type { CounterRule } from '../../platform/counter-rule.ts'
import { takeBackupCode } from './backup-codes.ts'
import { issueOtp, takeOtp } from './otp.ts'
import { requireOwnSession } from './own-session.ts'
import { clearPending, type Pending, readPending, takePending } from './pending.ts'
import { replaceSession } from './replace-session.ts'
import { takeTotp } from './totp.ts'
import { trustDevice } from './trusted-devices.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'
import { confirmRecord, findRecords, findUserWithRecords } from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** Who gives a code: somebody whose sign-in waits for it, or somebody who is signed in. */
interface Subject {
  user: User
  /** The record in force, if there is one, and then the one that waits for its first code. */
  records: TwoFactor[]
  at: { kind: 'challenge'; pending: Pending } | { kind: 'session'; caller: Caller }
}

/** What a right code leads to. `token` is missing where no session was asked for. */
export interface Verified {
  token?: string
  user: User
}

/** @throws INVALID_TWO_FACTOR_COOKIE where neither a sign-in waits nor anybody is signed in */
async function findSubject(scope: Scope): Promise<Subject> {
  const pending = await readPending(scope)
  if (pending) {
    const found = await findUserWithRecords(scope.db, pending.userId)
    if (found?.user.securityVersion !== pending.securityVersion) throw errors.INVALID_TWO_FACTOR_COOKIE()
    return { ...found, at: { kind: 'challenge', pending } }
  }
  const caller = await scope.caller()
  if (!caller) throw errors.INVALID_TWO_FACTOR_COOKIE()
  requireOwnSession(caller)
  const records = await findRecords(scope.db, caller.user.id)
  return { user: caller.user, records, at: { kind: 'session', caller } }
}

/**
 * Takes one guess from the account's budget for one kind of code, before the code is looked at.
 * @returns what to do after a right guess: the failures before it are forgotten
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
async function spendGuess(scope: Scope, kind: 'totp' | 'backup-code' | 'otp', userId: string, rule: CounterRule) {
  const key = `two-factor:${kind}:${userId}`
  const { allowed, retryAfter } = await scope.counters.hit(key, rule)
  if (!allowed) throw errors.TOO_MANY_REQUESTS({ headers: { 'x-retry-after': String(retryAfter) } })
  return () => scope.after(() => scope.counters.forget(key))
}

/** A code of an authenticator app. The first one puts its secret in force. @throws see the contract */
export async function verifyTotp(
  scope: Scope,
  { code, trustDevice: trust = false }: { code: string; trustDevice?: boolean | undefined },
): Promise<Verified> {
  const { totpOptions, guesses } = twoFactorOptions.of(scope)
  if (totpOptions.disable) throw errors.TOTP_ISNT_CONFIGURED()
  const subject = await findSubject(scope)
  if (subject.records.length === 0) throw errors.TOTP_NOT_ENABLED()
  const rightly = await spendGuess(scope, 'totp', subject.user.id, guesses)
  for (const record of subject.records) {
    if (!(await takeTotp(scope, record, code.replace(/\s/g, '')))) continue
    rightly()
    return finish(scope, subject, record, { trust, confirm: !record.confirmed })
  }
  throw errors.INVALID_CODE()
}

/** Mails a code. @throws see the contract */
export async function sendOtp(scope: Scope): Promise<void> {
  if (twoFactorOptions.of(scope).otpOptions.disable) throw errors.OTP_ISNT_CONFIGURED()
  const subject = await findSubject(scope)
  if (subject.records.length === 0) throw errors.OTP_NOT_ENABLED()
  await issueOtp(scope, otpHolder(subject), subject.user)
}

const otpHolder = ({ at }: Subject): string =>
  at.kind === 'challenge' ? at.pending.id : `session:${at.caller.session.id}`

/** A mailed code. It may be the first code of a set-up, but never replaces a secret in force. @throws see the contract */
export async function verifyOtp(
  scope: Scope,
  { code, trustDevice: trust = false }: { code: string; trustDevice?: boolean | undefined },
): Promise<Verified> {
  const { disable, guesses } = twoFactorOptions.of(scope).otpOptions
  if (disable) throw errors.OTP_ISNT_CONFIGURED()
  const subject = await findSubject(scope)
  const [record] = subject.records
  if (!record) throw errors.OTP_NOT_ENABLED()
  const rightly = await spendGuess(scope, 'otp', subject.user.id, guesses)
  const taken = await takeOtp(scope, otpHolder(subject), code.replace(/\s/g, ''))
  if (taken === 'gone') throw errors.OTP_HAS_EXPIRED()
  if (taken === 'too-many') throw errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE()
  if (taken === 'wrong') throw errors.INVALID_CODE()
  rightly()
  return finish(scope, subject, record, { trust, confirm: !record.confirmed })
}

/** A backup code. With `disableSession` it is used, and that is all. @throws see the contract */
export async function verifyBackupCode(
  scope: Scope,
  given: { code: string; trustDevice?: boolean | undefined; disableSession?: boolean | undefined },
): Promise<Verified> {
  const { guesses } = twoFactorOptions.of(scope)
  const subject = await findSubject(scope)
  const [record] = subject.records
  if (!record) throw errors.BACKUP_CODES_ARENT_ENABLED()
  const rightly = await spendGuess(scope, 'backup-code', subject.user.id, guesses)
  if (!(await takeBackupCode(scope, subject.records, given.code))) throw errors.INVALID_BACKUP_CODE()
  rightly()
  const { trustDevice: trust = false, disableSession: withoutSession = false } = given
  return finish(scope, subject, record, { trust, withoutSession })
}

/** A right code has been given: the waiting sign-in goes through completeSignIn, a set-up takes effect. */
async function finish(
  scope: Scope,
  { user, at }: Subject,
  record: TwoFactor,
  { trust, confirm = false, withoutSession = false }: { trust: boolean; confirm?: boolean; withoutSession?: boolean },
): Promise<Verified> {
  const now = scope.now()
  if (at.kind === 'session') {
    let { session } = at.caller
    let verified = user
    if (confirm) {
      if (!(await confirmRecord(scope.db, record, now, session.token))) throw errors.INVALID_CODE()
      verified = { ...user, twoFactorEnabled: true, updatedAt: now }
      session = await replaceSession(scope, at.caller, verified)
    }
    if (trust) await trustDevice(scope, verified, record.id, session.token)
    return { token: session.token, user: verified }
  }
  if (!(await takePending(scope, at.pending))) throw errors.INVALID_TWO_FACTOR_COOKIE()
  if (confirm) await confirmRecord(scope.db, record, now)
  if (withoutSession) {
    clearPending(scope)
    return { user }
  }
  const result = await completeSignIn(scope, {
    user,
    method: 'second-factor',
    proven: 'second-factor',
    rememberMe: at.pending.rememberMe,
  })
  if (result.kind === 'challenged') throw core.FAILED_TO_CREATE_SESSION()
  if (trust) await trustDevice(scope, user, record.id, result.session.token)
  return { token: result.session.token, user }
}

/** What a waiting sign-in may be finished with, for the screen that asks. @throws INVALID_TWO_FACTOR_COOKIE */
export async function readChallenge(scope: Scope) {
  const { totpOptions, otpOptions } = twoFactorOptions.of(scope)
  const pending = await readPending(scope)
  const found = pending && (await findUserWithRecords(scope.db, pending.userId))
  if (!pending || found?.user.securityVersion !== pending.securityVersion) throw errors.INVALID_TWO_FACTOR_COOKIE()
  const methods: ('totp' | 'otp' | 'backup-code')[] = [
    ...(totpOptions.disable ? [] : (['totp'] as const)),
    ...(otpOptions.disable ? [] : (['otp'] as const)),
    'backup-code',
  ]
  const expiresIn = Math.ceil((pending.expiresAt.getTime() - scope.now().getTime()) / 1000)
  return { methods, email: masked(found.user.email), expiresIn }
}

/** `a***@example.com`: enough to know one's own mailbox by. */
const masked = (email: string): string => email.replace(/^(.)[^@]*/, '$1***')
