import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { phoneNumberOptions } from './phone-number.config.ts'

/**
 * A cookie that knows the browser in which somebody has just given the password for a number that is not verified.
 * It opens nothing: together with the right code it tells that whoever verifies the number is who claimed it.
 */
const cookie = 'phone_claim'
const valueFor = ({ id }: User) => `phone-claim:${id}`

export const markClaim = (scope: Scope, user: User): void => {
  scope.cookies.setSigned(cookie, valueFor(user), { maxAge: phoneNumberOptions.of(scope).expiresIn })
}

export function clearClaimMark(scope: Scope): void {
  if (scope.cookies.get(cookie) !== undefined) scope.cookies.clear(cookie)
}

/** Whether this browser belongs to whoever has claimed a number: their session is here, or their password was given. */
export const isClaimants = async (scope: Scope, claimant: User): Promise<boolean> =>
  scope.cookies.getSigned(cookie) === valueFor(claimant) || (await scope.caller())?.user.id === claimant.id
