import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { phoneNumberOptions } from './phone-number.config.ts'

/** The cookie of a browser that gave the password for an unverified number; with the code it proves who claimed it. */
const cookie = 'phone_claim'
const valueFor = ({ id }: User) => `phone-claim:${id}`

export const markClaim = (scope: Scope, user: User): void => {
  scope.response.cookies.setSigned(cookie, valueFor(user), { maxAge: phoneNumberOptions.of(scope).expiresIn })
}

export function clearClaimMark(scope: Scope): void {
  if (scope.response.cookies.get(cookie) !== undefined) scope.response.cookies.clear(cookie)
}

/** Whether this browser has the session of the user who claims a number, or the password was given in it. */
export const isClaimants = async (scope: Scope, claimant: User): Promise<boolean> =>
  scope.response.cookies.getSigned(cookie) === valueFor(claimant) || (await scope.caller())?.user.id === claimant.id
