import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { organizationErrors } from '../../organization/membership/membership.errors.ts'
import { type Membership, rolesUnchanged } from '../../organization/membership/membership.store.ts'
import { memberMay, requireMembership } from '../../organization/membership/membership.ts'
import { enterpriseErrors as errors } from './enterprise.errors.ts'

/** The caller's membership, if its role allows the action on `singleSignOn`. By default owners have this permission. */
export async function requireManager(
  scope: Scope,
  caller: Caller,
  given: string | undefined,
  action: 'read' | 'update' = 'update',
): Promise<Membership> {
  const membership = await requireMembership(scope, caller, given, managing)
  requireMay(scope, membership, action)
  return membership
}

export const managing = {
  missing: organizationErrors.NO_ACTIVE_ORGANIZATION,
  outside: organizationErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
}

/** @throws YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON */
export function requireMay(scope: Scope, { member }: Membership, action: 'read' | 'update'): void {
  if (!memberMay(scope, member, { singleSignOn: [action] })) throw errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON()
}

/** A unit of work that fails if the roles of the manager have changed since the read. */
export function workOf(scope: Scope, { member }: Membership): Work {
  const work = unitOfWork(scope)
  work.require(rolesUnchanged(member), errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON)
  return work
}
