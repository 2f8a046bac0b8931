import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { ms } from '../../kit/time.ts'
import { phoneNumberOptions } from './phone-number.config.ts'

/**
 * The time of a change by a session without a second factor. An attacker with a copied session cookie could make it
 * too, so the number is on probation (`phoneNumber.probation`). Null for every other change, which ends an earlier
 * probation.
 */
export async function changedBySessionAlone(scope: Scope, user: User): Promise<Date | null> {
  const caller = await scope.caller()
  return caller?.user.id === user.id && !caller.session.amr.includes('mfa') ? scope.now() : null
}

/** Whether the number is on probation, for a user with a verified address: it cannot reset the password. */
export function isRecentlyAdded(scope: Scope, user: User): boolean {
  const { phoneNumberChangedAt, emailVerified, emailIsPlaceholder } = user
  if (phoneNumberChangedAt === null || !emailVerified || emailIsPlaceholder) return false
  return scope.now().getTime() - phoneNumberChangedAt.getTime() < ms(phoneNumberOptions.of(scope).probation)
}
