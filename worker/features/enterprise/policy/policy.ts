import type { Scope } from '../../../identity/scope.ts'
import { read } from '../../../platform/statements.ts'
import { organizationOptions } from '../../organization/model/organization.config.ts'
import { organizationErrors } from '../../organization/organization.errors.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { type SsoManager, workOf } from '../model/managers.ts'
import { hasActiveConnection, policyReads } from '../model/model.store.ts'
import type { PolicyMethod, SignInPolicy } from '../model/policies.table.ts'
import { endForbidden } from './end-sessions.store.ts'
import * as store from './policy.store.ts'

export interface PolicyInput {
  allowedMethods: PolicyMethod[] | null
  requiresSecondFactor: boolean
  joinsAutomatically: boolean
  /** Absent: unchanged, as clients of before send it. */
  challengesUnknownDevices?: boolean | undefined
  breakGlass: string[]
}

/** The rules of an organization without a row. */
export const presentPolicy = (policy: SignInPolicy | undefined, breakGlass: readonly string[]) => ({
  allowedMethods: policy?.allowedMethods ?? null,
  secondFactorSince: policy?.secondFactorSince ?? null,
  joinsAutomatically: policy?.joinsAutomatically ?? false,
  challengesUnknownDevices: policy?.challengesUnknownDevices ?? false,
  breakGlass: [...breakGlass],
})

const auditOf = (policy: SignInPolicy | undefined, breakGlass: readonly { memberId: string }[]) => ({
  allowedMethods: policy?.allowedMethods ?? null,
  requiresSecondFactor: Boolean(policy?.secondFactorSince),
  joinsAutomatically: policy?.joinsAutomatically ?? false,
  challengesUnknownDevices: policy?.challengesUnknownDevices ?? false,
  breakGlass: breakGlass.map(({ memberId }) => memberId),
})

type Values = ReturnType<typeof auditOf>

const isSamePolicy = (one: Values, other: Values): boolean => {
  const normal = ({ allowedMethods, breakGlass, ...rules }: Values) =>
    JSON.stringify([allowedMethods?.toSorted() ?? null, breakGlass.toSorted(), Object.entries(rules).sort()])
  return normal(one) === normal(other)
}

/**
 * Replaces the rules and ends the sessions that they do not allow. "Single sign-on only" requires an active connection
 * and a break-glass owner, so that an outage of the identity provider does not lock every owner out.
 */
export async function updatePolicy(scope: Scope, manager: SsoManager, input: PolicyInput) {
  const { organizationId } = manager
  const { creatorRole: ownerRole } = organizationOptions.of(scope)
  const now = scope.now()
  const allowedMethods = input.allowedMethods === null ? null : [...new Set(input.allowedMethods)]
  const ids = [...new Set(input.breakGlass)]
  const before = await read(scope.db, policyReads(scope.db, organizationId))
  const { requiresSecondFactor, joinsAutomatically } = input
  const [stored, present] = [before.policies[0], auditOf(before.policies[0], before.breakGlass)]
  const { challengesUnknownDevices = present.challengesUnknownDevices } = input
  const values = { allowedMethods, requiresSecondFactor, joinsAutomatically, challengesUnknownDevices, breakGlass: ids }
  if (stored && isSamePolicy(present, values)) return presentPolicy(stored, present.breakGlass)
  const work = workOf(scope, manager)
  work.run(store.replaceBreakGlass(scope.db, { organizationId, ids, ownerRole, now }))
  if (ids.length > 0) {
    work.require(store.hasBreakGlassMembers(organizationId, ids.length), organizationErrors.MEMBER_NOT_FOUND)
  }
  if (allowedMethods?.length === 0) {
    work.require(hasActiveConnection(organizationId), errors.NO_ACTIVE_CONNECTION)
    if (ids.length === 0) throw errors.BREAK_GLASS_OWNER_IS_REQUIRED()
  }
  const written = work.run(
    store.writePolicy(scope.db, {
      organizationId,
      allowedMethods,
      secondFactorSince: input.requiresSecondFactor ? now : null,
      joinsAutomatically,
      challengesUnknownDevices,
      updatedAt: now,
    }),
  )
  endForbidden(scope, work, organizationId)
  work.audit({
    ...{ subjectType: 'organization', subjectId: organizationId },
    before: present,
    after: values,
  })
  await work.commit()
  return presentPolicy(written.row, ids)
}
