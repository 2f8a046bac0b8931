import type { Scope } from '../identity/scope.ts'
import { userOptions } from '../identity/settings.ts'
import { missingFields } from '../identity/users/additional-fields.ts'
import type { User } from '../identity/users/users.table.ts'
import { withQuery } from '../kit/urls.ts'

/**
 * Where a sign-in leads that leaves our pages: to its target, or first to the screen that asks for the required fields
 * which the person lacks, and goes on from there. Our own pages ask by themselves.
 */
export function askFirst<T extends string | undefined>(scope: Scope, user: User, target: T): T | string {
  if (!target || target.startsWith('/')) return target
  const { additionalFields } = userOptions.of(scope)
  if (missingFields(additionalFields, user.additionalFields).length === 0) return target
  return withQuery(`${scope.settings.baseUrl}/welcome`, { callbackURL: target })
}
