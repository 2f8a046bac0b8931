import { emailVerificationOptions } from '../accounts/accounts.config.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'

/**
 * A cookie that identifies the browser in which a visitor signed up without a session. It grants no access. It only
 * shows, when the address is confirmed, that the same user created the account.
 */
const cookie = 'signed_up'

export const markSignUp = (scope: Scope, user: User): void => {
  scope.response.cookies.setSigned(cookie, user.id, { maxAge: emailVerificationOptions.of(scope).expiresIn })
}

export const hasSignedUpHere = (scope: Scope, user: User): boolean =>
  scope.response.cookies.getSigned(cookie) === user.id

export function clearSignUpMark(scope: Scope): void {
  if (scope.response.cookies.get(cookie) !== undefined) scope.response.cookies.clear(cookie)
}
