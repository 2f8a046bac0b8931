import type { UserChange } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import type { NewUser, User } from '../../identity/users/users.table.ts'
import { isPhoneNumber, phoneNumberOptions, signUpByNumber } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { findUserByPhone } from './phone-number.store.ts'

export const publicPhoneNumber = (scope: Scope) => ({
  features: { phoneNumber: true, phoneSignUp: signUpByNumber(scope) !== null },
  phoneCode: { digits: phoneNumberOptions.of(scope).otpLength },
  lifetimes: { phoneCode: phoneNumberOptions.of(scope).expiresIn },
})

/** The number in a body; undefined without one. @throws INVALID_PHONE_NUMBER */
async function readNumber(scope: Scope, { phoneNumber }: Readonly<Record<string, unknown>>) {
  if (phoneNumber === undefined || phoneNumber === null) return phoneNumber
  if (typeof phoneNumber !== 'string' || !(await isPhoneNumber(scope, phoneNumber))) throw errors.INVALID_PHONE_NUMBER()
  return phoneNumber
}

/**
 * Who signs up may give a number. It is a claim until a code has verified it. The strict profile takes no claims: one
 * that is refused would tell who has the number.
 */
export async function takeNumber(scope: Scope, { values, input }: UserChange<NewUser>): Promise<NewUser> {
  const phoneNumber = await readNumber(scope, input)
  return phoneNumber && scope.settings.profile !== 'strict'
    ? { ...values, phoneNumber, phoneNumberVerified: false }
    : values
}

/** A number that is changed without a code is a claim again, which the strict profile does not take; null removes it. */
export async function changeNumber(
  scope: Scope,
  user: User,
  { values, input }: UserChange<Partial<NewUser>>,
): Promise<Partial<NewUser>> {
  const phoneNumber = await readNumber(scope, input)
  if (phoneNumber === undefined || phoneNumber === user.phoneNumber) return values
  if (phoneNumber !== null && scope.settings.profile === 'strict') throw errors.PHONE_NUMBER_NEEDS_A_CODE()
  // For the words only: that it stays with one person the statement decides (UNIQUE).
  if (phoneNumber !== null && (await findUserByPhone(scope.db, phoneNumber))) throw errors.PHONE_NUMBER_ALREADY_EXISTS()
  return { ...values, phoneNumber, phoneNumberVerified: false }
}

/** A number was only ever a claim of whoever made the account without proving its address. */
export const endNumber = () => ({ columns: { phoneNumber: null, phoneNumberVerified: false } })

/** At sign-up a taken number is told like any other value that will not do. */
export const numberTakenAtSignUp = () =>
  coreErrors.FAILED_TO_CREATE_USER({
    extra: { issues: [{ path: 'phoneNumber', message: errors.PHONE_NUMBER_ALREADY_EXISTS.message }] },
  })
