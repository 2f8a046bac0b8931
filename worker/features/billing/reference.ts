import { isMemberFor } from '../../identity/registry.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { billingErrors } from './billing.errors.ts'

/** A reference is the caller's id, or that of an organization that the caller manages. @throws REFERENCE_NOT_ALLOWED */
export async function requireReference(scope: Scope, caller: Caller, referenceId: string): Promise<void> {
  if (referenceId === caller.user.id) return
  if (!(await isMemberFor(scope, caller.user.id, referenceId, { organization: ['update'] })))
    throw billingErrors.REFERENCE_NOT_ALLOWED()
}
