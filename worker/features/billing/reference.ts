import type { Caller, Scope } from '../../identity/scope.ts'
import { billingErrors } from './billing.errors.ts'

/**
 * A reference says for whom something is bought: the caller's own id, or that of an organization that they manage.
 * @throws REFERENCE_NOT_ALLOWED
 */
export async function requireReference(scope: Scope, caller: Caller, referenceId: string): Promise<void> {
  if (referenceId === caller.user.id) return
  for (const manages of scope.lifecycle.managing) if (await manages(scope, caller, referenceId)) return
  throw billingErrors.REFERENCE_NOT_ALLOWED()
}
