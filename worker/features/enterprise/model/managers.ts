import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import type { AppErrorKind } from '../../../kit/errors.ts'
import type { Condition } from '../../../platform/statements.ts'
import { type Membership, organizationExists, rolesUnchanged } from '../../organization/model/membership.store.ts'
import { memberMay, requireMembership } from '../../organization/model/membership.ts'
import { organizationErrors } from '../../organization/organization.errors.ts'
import { enterpriseErrors as errors } from './enterprise.errors.ts'

/** A member with the permission, the holder of the set-up link, or a server of the product. */
export interface SsoManager {
  kind: 'member' | 'setup-link' | 'server'
  organizationId: string
  /** Null for parties without an account. */
  userId: string | null
  /** Holds while the manager keeps the right; otherwise the batch fails with the error. */
  condition: Condition
  lost: AppErrorKind
}

/** The caller as a manager, if the role allows the action on `singleSignOn`. By default owners have this permission. */
export async function requireSsoManager(
  scope: Scope,
  caller: Caller,
  given: string | undefined,
  action: 'read' | 'update' = 'update',
): Promise<SsoManager> {
  const membership = await requireMembership(scope, caller, given, managing)
  requireMay(scope, membership, action)
  return {
    kind: 'member',
    organizationId: membership.organization.id,
    userId: caller.user.id,
    condition: rolesUnchanged(membership.member),
    lost: errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON,
  }
}

/** A server of the product, which manages every organization. */
export function serverAsManager(scope: Scope, organizationId: string): SsoManager {
  scope.auditing.organizationId = organizationId
  return {
    kind: 'server',
    organizationId,
    userId: null,
    condition: organizationExists(organizationId),
    lost: organizationErrors.ORGANIZATION_NOT_FOUND,
  }
}

export const managing = {
  missing: organizationErrors.NO_ACTIVE_ORGANIZATION,
  outside: organizationErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
}

/** @throws YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON */
export function requireMay(scope: Scope, { member }: Membership, action: 'read' | 'update'): void {
  if (!memberMay(scope, member, { singleSignOn: [action] })) throw errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON()
}

/** A unit of work that fails if the manager has lost the right since the read. */
export function workOf(scope: Scope, { condition, lost }: SsoManager): Work {
  const work = unitOfWork(scope)
  work.require(condition, lost)
  return work
}
