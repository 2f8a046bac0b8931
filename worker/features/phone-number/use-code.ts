import { choosePassword } from '../../identity/accounts/passwords.ts'
import { resetForgottenPassword } from '../../identity/accounts/reset-password.ts'
import { addUser, askToChange } from '../../identity/accounts/users.ts'
import type { Caller } from '../../identity/caller.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in/sign-in.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { userExists } from '../../identity/users/users.store.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import type { SingleUse, Work } from '../../identity/work.ts'
import { clearClaimMark, isClaimants } from './claim-mark.ts'
import { spendPhoneGuess } from './codes.ts'
import { signUpByNumber } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { numberEvent } from './phone-number.steps.ts'
import { claimsNumber, dropClaim, findUserByPhone, moveToPhone, proveClaim } from './phone-number.store.ts'
import { changedBySessionAlone, isRecentlyAdded } from './recent-number.ts'

export interface PhoneVerification {
  phoneNumber: string
  code: string
  disableSession?: boolean | undefined
  updatePhoneNumber?: boolean | undefined
}

/** `token` is null if no session was requested. */
export type VerifiedPhone =
  | { kind: 'verified'; user: User; token: string | null }
  | Extract<SignInResult, { kind: 'challenged' }>

/**
 * Verifies a number by the code of a text message. With updatePhoneNumber the caller gets the number; otherwise the
 * user who has proven it signs in, or a user is created. The batch of this effect uses the code.
 */
export async function verifyPhone(scope: Scope, verification: PhoneVerification): Promise<VerifiedPhone> {
  const { phoneNumber, code, updatePhoneNumber = false } = verification
  const caller = updatePhoneNumber ? await scope.caller() : null
  if (updatePhoneNumber && !caller) throw errors.USER_NOT_FOUND()
  const finding = findUserByPhone(scope.db, phoneNumber)
  const check = await spendPhoneGuess(scope, 'verify', phoneNumber, finding)
  const holder = await finding
  // The strict profile returns the error only after the right code.
  const mayReveal = scope.settings.profile !== 'strict'
  if (mayReveal && caller && holder && holder.id !== caller.user.id && holder.phoneNumberVerified) {
    throw errors.PHONE_NUMBER_ALREADY_EXISTS()
  }
  const { data, use, complete } = await check(code)
  if (!caller && !speaksFor(data, holder)) throw errors.OTP_NOT_FOUND()
  const verified = await complete(() =>
    caller ? adopt(scope, caller, phoneNumber, use) : enter(scope, verification, holder, use),
  )
  clearClaimMark(scope)
  return verified
}

/** Sets the number of the caller. */
async function adopt(scope: Scope, caller: Caller, phoneNumber: string, use: SingleUse): Promise<VerifiedPhone> {
  if (caller.user.phoneNumber !== phoneNumber) await askToChange(scope, caller.user, { phoneNumber })
  const now = scope.now()
  const type = numberEvent(caller.user, { phoneNumber })
  const sessionId = caller.session.id
  const isOwnAlready = caller.user.phoneNumber === phoneNumber && caller.user.phoneNumberVerified
  const phoneNumberChangedAt = isOwnAlready
    ? caller.user.phoneNumberChangedAt
    : await changedBySessionAlone(scope, caller.user)
  const user: User = { ...caller.user, phoneNumber, phoneNumberVerified: true, phoneNumberChangedAt, updatedAt: now }
  const work = unitOfWork(scope, errors.USER_NOT_FOUND)
  work.use(use, errors.OTP_NOT_FOUND)
  work.require(userExists(user.id))
  work.run(moveToPhone(scope.db, user.id, { phoneNumber, phoneNumberChangedAt }, now))
  work.unique('users.phone_number', errors.PHONE_NUMBER_ALREADY_EXISTS)
  announceUser(scope, work, 'user.updated', user.id, user)
  if (type) securityEvent(scope, work, { type, user: caller.user, sessionId })
  await work.commit(() => refreshSessionCookies(scope, caller, user))
  return { kind: 'verified', user, token: caller.session.token }
}

/** Signs in the user who has the number, or only confirms the number if no session is requested. */
async function enter(
  scope: Scope,
  verification: PhoneVerification,
  holder: User | null,
  use: SingleUse,
): Promise<VerifiedPhone> {
  const work = unitOfWork(scope, errors.OTP_NOT_FOUND)
  work.use(use)
  const { user, isNew } = await addOwner(scope, work, verification.phoneNumber, holder)
  // Another user has claimed or proven the number since it was read.
  work.unique('users.phone_number', errors.OTP_NOT_FOUND)
  work.unique('users.email', () => errors.UNEXPECTED_ERROR({ detail: 'the temporary address is taken' }))
  if (verification.disableSession) {
    await work.commit()
    return { kind: 'verified', user, token: null }
  }
  const proven = isNew ? 'creation' : 'possession'
  const result = await completeSignIn(scope, work, { user, method: 'phone-otp', proven })
  return result.kind === 'challenged' ? result : { kind: 'verified', user, token: result.session.token }
}

/**
 * The user of a proven number. A claim does not open the account of the user who made it: only in that user's own
 * browser does the code confirm it. Any other user with the code takes the number and gets a new account.
 */
async function addOwner(
  scope: Scope,
  work: Work,
  phoneNumber: string,
  holder: User | null,
): Promise<{ user: User; isNew: boolean }> {
  const now = scope.now()
  if (holder?.phoneNumberVerified) return { user: holder, isNew: false }
  if (holder && (await isClaimants(scope, holder))) {
    const user = { ...holder, phoneNumberVerified: true, updatedAt: now }
    work.require(claimsNumber(holder))
    work.run(proveClaim(scope.db, holder, now))
    announceUser(scope, work, 'user.updated', holder.id, user)
    return { user, isNew: false }
  }
  const names = signUpByNumber(scope)
  if (!names) throw errors.PHONE_NUMBER_ISNT_REGISTERED()
  const email = names.getTempEmail(phoneNumber)
  const name = names.getTempName(phoneNumber)
  work.run(dropClaim(scope.db, phoneNumber, now))
  const person = { email, emailIsPlaceholder: true, name, phoneNumber, phoneNumberVerified: true }
  return { user: await addUser(scope, work, person, null), isNew: true }
}

/** Sets a new password with a texted code: verified before the hash, used only with an acceptable password. */
export async function resetPasswordByPhone(
  scope: Scope,
  { phoneNumber, otp, newPassword }: { phoneNumber: string; otp: string; newPassword: string },
): Promise<void> {
  const finding = findUserByPhone(scope.db, phoneNumber)
  const check = await spendPhoneGuess(scope, 'reset', phoneNumber, finding)
  const user = await finding
  const { data, use, complete } = await check(otp)
  if (!user?.phoneNumberVerified || isRecentlyAdded(scope, user) || !speaksFor(data, user)) throw errors.INVALID_OTP()
  await complete(async () => {
    const hash = await choosePassword(scope, newPassword)
    await resetForgottenPassword(scope, user, hash, { proof: 'text', use, stale: errors.INVALID_OTP })
  })
}
