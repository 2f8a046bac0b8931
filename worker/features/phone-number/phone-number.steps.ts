import type { UserChange } from '../../identity/lifecycle.ts'
import type { NewUser, User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { isPhoneNumber } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { findUserByPhone } from './phone-number.store.ts'
import { changedBySessionAlone } from './recent-number.ts'

/** The number in a body; undefined without one. @throws INVALID_PHONE_NUMBER */
async function readNumber(scope: Scope, { phoneNumber }: Readonly<Record<string, unknown>>) {
  if (phoneNumber === undefined || phoneNumber === null) return phoneNumber
  if (typeof phoneNumber !== 'string' || !(await isPhoneNumber(scope, phoneNumber))) throw errors.INVALID_PHONE_NUMBER()
  return phoneNumber
}

/** A sign-up may contain a number, a claim until a code verifies it. The strict profile ignores it, for secrecy. */
export async function takeNumber(scope: Scope, { values, input }: UserChange<NewUser>): Promise<NewUser> {
  const phoneNumber = await readNumber(scope, input)
  return phoneNumber && scope.settings.profile !== 'strict'
    ? { ...values, phoneNumber, phoneNumberVerified: false }
    : values
}

/** A number that is changed without a code is a claim, which the strict profile rejects. Null removes the number. */
export async function changeNumber(
  scope: Scope,
  user: User,
  { values, input }: UserChange<Partial<NewUser>>,
): Promise<Partial<NewUser>> {
  const phoneNumber = await readNumber(scope, input)
  if (phoneNumber === undefined || phoneNumber === user.phoneNumber) return values
  if (phoneNumber !== null && scope.settings.profile === 'strict') throw errors.PHONE_NUMBER_NEEDS_A_CODE()
  // For the error only: the UNIQUE index decides.
  if (phoneNumber !== null && (await findUserByPhone(scope.db, phoneNumber))) throw errors.PHONE_NUMBER_ALREADY_EXISTS()
  const phoneNumberChangedAt = phoneNumber === null ? null : await changedBySessionAlone(scope, user)
  return { ...values, phoneNumber, phoneNumberVerified: false, phoneNumberChangedAt }
}

/** The number was a claim of the user who created the account without proving its address. */
export const endNumber = () => ({ columns: { phoneNumber: null, phoneNumberVerified: false } })

/** At sign-up, a taken number gets the error of any invalid value. */
export const numberTakenAtSignUp = () =>
  coreErrors.FAILED_TO_CREATE_USER({
    extra: { issues: [{ path: 'phoneNumber', message: errors.PHONE_NUMBER_ALREADY_EXISTS.message }] },
  })

/** The event of a changed number in the sign-in log. */
export function numberEvent(user: User, { phoneNumber }: Partial<NewUser>) {
  if (phoneNumber === undefined || phoneNumber === user.phoneNumber) return null
  if (phoneNumber === null) return 'phone-number-removed'
  return user.phoneNumber === null ? 'phone-number-added' : 'phone-number-changed'
}
