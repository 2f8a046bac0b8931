import type { Caller } from '../../identity/caller.ts'
import { recordUser } from '../../identity/events/record.ts'
import type { Scope } from '../../identity/scope.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import type { User } from '../../identity/users/users.table.ts'
import { askToChange, draftUser, isAddressTaken, userChanged, userCreated } from '../../identity/users/users.ts'
import { onGuess } from '../../identity/verifications/guesses.ts'
import { isUsedAlready } from '../../identity/verifications/used-records.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import { takenColumn } from '../../platform/database.ts'
import { isUnmetDemand, runBatch, type Statement } from '../../platform/statements.ts'
import { codeRefusal, spendGuess } from './check-code.ts'
import { clearClaimMark, isClaimants } from './claim-mark.ts'
import { signUpByNumber } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { dropClaim, findUserByPhone, moveToPhone, proveClaimStatements } from './phone-number.store.ts'
import { verifyKind } from './send-code.ts'

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
 * has proven it before signs in, and who is new may be created. The code is used in the batch that does it.
 * @throws see the contract
 */
export async function verifyPhone(scope: Scope, verification: Verification): Promise<Verified> {
  const { phoneNumber, code, updatePhoneNumber = false } = verification
  const caller = updatePhoneNumber ? await scope.caller() : null
  if (updatePhoneNumber && !caller) throw errors.USER_NOT_FOUND()
  const finding = findUserByPhone(scope.db, phoneNumber)
  const check = await spendGuess(scope, verifyKind, phoneNumber, finding)
  const holder = await finding
  // Strict tells it to nobody without the code; there the statement does.
  const tells = scope.settings.profile !== 'strict'
  if (tells && caller && holder && holder.id !== caller.user.id && holder.phoneNumberVerified) {
    throw errors.PHONE_NUMBER_ALREADY_EXISTS()
  }
  const result = await check(code)
  if (result.kind !== 'right') throw codeRefusal(result)
  const { data, use, guess } = result
  if (!caller && !speaksFor(data, holder)) throw errors.OTP_NOT_FOUND()
  try {
    const verified = await onGuess(guess, () =>
      caller ? adopt(scope, caller, phoneNumber, use) : enter(scope, verification, holder, use),
    )
    guess.rightly()
    clearClaimMark(scope)
    return verified
  } catch (thrown) {
    throw isUsedAlready(thrown) ? errors.OTP_NOT_FOUND() : thrown
  }
}

/** The number becomes the caller's. */
async function adopt(scope: Scope, caller: Caller, phoneNumber: string, use: Statement): Promise<Verified> {
  if (caller.user.phoneNumber !== phoneNumber) await askToChange(scope, caller.user, { phoneNumber })
  const now = scope.now()
  const statements = [
    use,
    ...moveToPhone(scope.db, caller.user.id, phoneNumber, now),
    ...recordUser(scope, 'user.updated', caller.user.id),
  ]
  await runBatch(scope.db, statements).catch((thrown) => {
    if (isNumberTaken(thrown)) throw errors.PHONE_NUMBER_ALREADY_EXISTS()
    throw isUnmetDemand(thrown) ? errors.USER_NOT_FOUND() : thrown
  })
  const user: User = { ...caller.user, phoneNumber, phoneNumberVerified: true, updatedAt: now }
  refreshSessionCookies(scope, caller, user)
  await userChanged(scope, user)
  return { kind: 'verified', user, token: caller.session.token }
}

/** Whose number it is signs in, or is only confirmed where no session is asked for. */
async function enter(scope: Scope, verification: Verification, holder: User | null, use: Statement): Promise<Verified> {
  const { user, statements, isNew, written } = await personOf(scope, verification.phoneNumber, holder)
  const alongside = [use, ...statements]
  try {
    const result = verification.disableSession
      ? await runBatch(scope.db, alongside)
      : await completeSignIn(scope, {
          user,
          method: 'phone-otp',
          proven: isNew ? 'creation' : 'possession',
          alongside,
        })
    await written()
    if (Array.isArray(result)) return { kind: 'verified', user, token: null }
    return result.kind === 'challenged' ? result : { kind: 'verified', user, token: result.session.token }
  } catch (thrown) {
    if (isAddressTaken(thrown)) throw errors.UNEXPECTED_ERROR({ detail: 'the temporary address is taken' })
    // Somebody has claimed or proven the number since it was looked for, or the claim is gone.
    throw isNumberTaken(thrown) || isUnmetDemand(thrown) ? errors.OTP_NOT_FOUND() : thrown
  }
}

interface NumbersOwner {
  user: User
  statements: Statement[]
  isNew: boolean
  written(): Promise<void>
}

/**
 * The user whom a proven number belongs to. A claim is not a key to the account of whoever made it: only in their own
 * browser does the code confirm it. Anybody else who has the code takes the number away and gets an account of their
 * own.
 */
async function personOf(scope: Scope, phoneNumber: string, holder: User | null): Promise<NumbersOwner> {
  const now = scope.now()
  if (holder?.phoneNumberVerified) return { user: holder, statements: [], isNew: false, written: async () => {} }
  if (holder && (await isClaimants(scope, holder))) {
    const user = { ...holder, phoneNumberVerified: true, updatedAt: now }
    const statements = [...proveClaimStatements(scope.db, holder, now), ...recordUser(scope, 'user.updated', holder.id)]
    return { user, statements, isNew: false, written: () => userChanged(scope, user) }
  }
  const names = signUpByNumber(scope)
  if (!names) throw errors.PHONE_NUMBER_ISNT_REGISTERED()
  const email = names.getTempEmail(phoneNumber)
  const name = names.getTempName(phoneNumber)
  const person = { email, emailIsPlaceholder: true, name, phoneNumber, phoneNumberVerified: true }
  const { user, statements } = await draftUser(scope, person, null)
  return {
    user,
    statements: [dropClaim(scope.db, phoneNumber, now), ...statements],
    isNew: true,
    written: () => userCreated(scope, user),
  }
}

const isNumberTaken = (thrown: unknown): boolean => takenColumn(thrown) === 'users.phone_number'
