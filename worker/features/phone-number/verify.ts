import type { Caller } from '../../identity/caller.ts'
import type { Scope } from '../../identity/scope.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import type { User } from '../../identity/users/users.table.ts'
import { createUser, userChanged } from '../../identity/users/users.ts'
import { spendCodeGuess } from '../../identity/verifications/one-time-codes.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import { AppError } from '../../kit/errors.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { runBatch } from '../../platform/statements.ts'
import { codeRefusal } from './code-refusal.ts'
import { requireOwnSession } from './own-session.ts'
import { phoneCodeRules, signUpByNumber } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { dropClaim, findUserByPhone, markPhoneVerified, moveToPhone } from './phone-number.store.ts'
import { type VerifyData, verifyKind } from './send-code.ts'

export interface Verification {
  phoneNumber: string
  code: string
  disableSession?: boolean | undefined
  updatePhoneNumber?: boolean | undefined
}

/** `token` is null where no session was asked for. */
export type Verified =
  | { kind: 'verified'; user: User; token: string | null }
  | Extract<SignInResult, { kind: 'challenged' }>

/**
 * Verifies a number by the code of a text message. With updatePhoneNumber it becomes the caller's; otherwise whoever
 * has it signs in, and who has not may be created.
 * @throws see the contract
 */
export async function verifyPhone(scope: Scope, verification: Verification): Promise<Verified> {
  const { phoneNumber, code, disableSession = false, updatePhoneNumber = false } = verification
  const caller = updatePhoneNumber ? await scope.caller() : null
  if (updatePhoneNumber && !caller) throw errors.USER_NOT_FOUND()
  if (caller) requireOwnSession(caller)
  const [check, holder] = await Promise.all([
    spendCodeGuess<VerifyData>(scope, verifyKind, phoneNumber, phoneCodeRules(scope)),
    findUserByPhone(scope.db, phoneNumber),
  ])
  if (caller && holder && holder.id !== caller.user.id && holder.phoneNumberVerified) {
    throw errors.PHONE_NUMBER_ALREADY_EXISTS()
  }
  const result = await check(code)
  if (result.kind !== 'right') throw codeRefusal(result)
  if (caller) return { kind: 'verified', user: await adopt(scope, caller, phoneNumber), token: caller.session.token }
  if (!speaksFor(result.data, holder)) throw errors.OTP_NOT_FOUND()

  const user = await whoseNumber(scope, phoneNumber, holder, result.data.asker)
  if (disableSession) {
    await runBatch(scope.db, [result.use])
    return { kind: 'verified', user, token: null }
  }
  const signedIn = await completeSignIn(scope, {
    user,
    method: 'phone-otp',
    proven: 'possession',
    alongside: [result.use],
  })
  if (signedIn.kind === 'challenged') return signedIn
  return { kind: 'verified', user: signedIn.user, token: signedIn.session.token }
}

/** The number becomes the caller's. */
async function adopt(scope: Scope, caller: Caller, phoneNumber: string): Promise<User> {
  const user = await moveToPhone(scope.db, caller.user.id, phoneNumber, scope.now()).catch((thrown) => {
    if (isUniqueViolation(thrown)) throw errors.PHONE_NUMBER_ALREADY_EXISTS()
    throw thrown
  })
  if (!user) throw errors.USER_NOT_FOUND()
  refreshSessionCookies(scope, caller, user)
  await userChanged(scope, user)
  return user
}

/** The user who signs in by a proven number. */
async function whoseNumber(
  scope: Scope,
  phoneNumber: string,
  holder: User | null,
  asker: string | null,
): Promise<User> {
  if (holder?.phoneNumberVerified) return holder
  if (holder && (await mayConfirm(scope, holder, asker))) {
    const user = await markPhoneVerified(scope.db, holder, scope.now())
    if (!user) throw errors.OTP_NOT_FOUND()
    await userChanged(scope, user)
    return user
  }
  if (holder) await dropClaim(scope.db, phoneNumber, scope.now())
  return signUp(scope, phoneNumber)
}

/**
 * Whether a proven number opens the account of somebody who gave it without a proof. It does for themselves: signed
 * in here, or having given the password when the code was sent. Others it opens only an account that nobody has
 * proven to be theirs in any way; never a stranger's whose number was mistyped. The strict profile opens neither.
 */
async function mayConfirm(scope: Scope, holder: User, asker: string | null): Promise<boolean> {
  if (asker === holder.id || (await scope.caller())?.user.id === holder.id) return true
  return scope.settings.profile !== 'strict' && !holder.emailVerified
}

async function signUp(scope: Scope, phoneNumber: string): Promise<User> {
  const names = signUpByNumber(scope)
  if (!names) throw errors.PHONE_NUMBER_ISNT_REGISTERED()
  const email = names.getTempEmail(phoneNumber)
  const person = { email, name: names.getTempName(phoneNumber), phoneNumber, phoneNumberVerified: true }
  const user = await createUser(scope, person, null).catch((thrown) => {
    if (thrown instanceof AppError || isUniqueViolation(thrown)) return null
    throw thrown
  })
  // Another code may have created the person a moment before.
  const found = user ?? (await findUserByPhone(scope.db, phoneNumber))
  if (!found?.phoneNumberVerified) throw errors.UNEXPECTED_ERROR({ detail: 'the temporary address is taken' })
  return found
}
