import type { Scope } from '../scope.ts'
import { emailVerificationOptions } from '../settings.ts'
import type { User } from './users.table.ts'

/**
 * A cookie that knows the browser in which somebody signed up without getting a session. It opens nothing: it only
 * tells, when the address is confirmed, that whoever confirms it is who made the account.
 */
const cookie = 'signed_up'

export const markSignUp = (scope: Scope, user: User): void => {
  scope.cookies.setSigned(cookie, user.id, { maxAge: emailVerificationOptions.of(scope).expiresIn })
}

export const hasSignedUpHere = (scope: Scope, user: User): boolean => scope.cookies.getSigned(cookie) === user.id

export function clearSignUpMark(scope: Scope): void {
  if (scope.cookies.get(cookie) !== undefined) scope.cookies.clear(cookie)
}
