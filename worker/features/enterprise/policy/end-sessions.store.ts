import { and, eq, inArray, isNotNull, lte, not, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { sessions } from '../../../identity/model/sessions.table.ts'
import { users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { endSessions } from '../../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { after } from '../../../kit/time.ts'
import { rowExists } from '../../../platform/statements.ts'
import { members } from '../../organization/membership/members.table.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import { connections, providerPrefix } from '../model/connections.table.ts'
import { isInVerifiedDomain } from '../model/model.store.ts'
import { breakGlassMembers, signInPolicies } from '../model/policies.table.ts'
import { methodsOfKind } from './method-kinds.ts'

const fromConnection = sql`${sessions.method} like ${`${providerPrefix}%`}`

/** Sessions of the members of an organization whose addresses are in its verified domains. */
const sessionsOfManaged = (scope: Scope, organizationId: string | SQL, which: SQL | undefined) =>
  and(
    inArray(
      sessions.userId,
      scope.db
        .select({ userId: members.userId })
        .from(members)
        .innerJoin(users, eq(users.id, members.userId))
        .where(and(eq(members.organizationId, organizationId), isInVerifiedDomain(organizationId), which)),
    ),
    // The session of an impersonation belongs to an administrator of the deployment.
    sql`${sessions.impersonatedBy} is null`,
  )!

/**
 * Ends the sessions that the rules of an organization do not allow, in the batch that changes rules, domains or
 * connections. Call it after these writes.
 */
export function endForbiddenSessions(scope: Scope, work: Work, organizationId: string): void {
  const policy = (which: SQL | undefined) =>
    rowExists(signInPolicies, and(eq(signInPolicies.organizationId, organizationId), which))
  const allowed = (kind: 'password' | 'email' | 'phone' | 'passkey' | 'provider') =>
    policy(sql`exists (select 1 from json_each(${signInPolicies.allowedMethods}) as kinds where kinds.value = ${kind})`)
  const named = (Object.entries(methodsOfKind) as [keyof typeof methodsOfKind, readonly string[]][]).map(
    ([kind, methods]) => and(inArray(sessions.method, [...methods]), not(allowed(kind))),
  )
  const known = Object.values(methodsOfKind).flat()
  const ofProvider = and(notInArray(sessions.method, known), not(fromConnection), not(allowed('provider')))
  const ofOtherConnection = and(
    fromConnection,
    not(
      rowExists(
        connections,
        and(
          eq(connections.organizationId, organizationId),
          eq(connections.state, 'active'),
          sql`${sessions.method} = ${providerPrefix} || ${connections.id}`,
        ),
      ),
    ),
  )
  const isBreakGlass = rowExists(breakGlassMembers, eq(breakGlassMembers.memberId, members.id))
  const methods = and(
    policy(isNotNull(signInPolicies.allowedMethods)),
    or(sql`${sessions.method} is null`, ...named, ofProvider, ofOtherConnection),
    sessionsOfManaged(scope, organizationId, not(isBreakGlass)),
  )!
  endSessions(scope, work, methods)
  endSessions(scope, work, and(policy(isNotNull(signInPolicies.secondFactorSince)), oneFactor(scope, organizationId))!)
}

/** Sessions with one factor of users who have a second one, or had the time to set one up. */
const oneFactor = (scope: Scope, organizationId: string | SQL) => {
  const before = after(scope.now(), -enterpriseOptions.of(scope).secondFactorGracePeriod)
  const hadTime = and(
    lte(users.createdAt, before),
    rowExists(
      signInPolicies,
      and(eq(signInPolicies.organizationId, organizationId), lte(signInPolicies.secondFactorSince, before)),
    ),
  )
  return and(
    not(fromConnection),
    sql`not exists (select 1 from json_each(${sessions.amr}) as factors where factors.value = 'mfa')`,
    sessionsOfManaged(scope, organizationId, or(eq(users.twoFactorEnabled, true), hadTime)),
  )!
}

/** Ends the sessions of a connection that no longer signs users in. */
export const endSessionsOf = (scope: Scope, work: Work, connectionId: string): void =>
  void endSessions(scope, work, eq(sessions.method, `${providerPrefix}${connectionId}`))

/** For the cron trigger: policies of one run. */
const batchSize = 100

/** For the cron trigger: ends sessions with one factor of members whose time to set up a second one is over. */
export async function endOneFactorSessions(scope: Scope): Promise<void> {
  const before = after(scope.now(), -enterpriseOptions.of(scope).secondFactorGracePeriod)
  const due = await scope.db
    .select({ organizationId: signInPolicies.organizationId })
    .from(signInPolicies)
    .where(lte(signInPolicies.secondFactorSince, before))
    .limit(batchSize)
  for (const { organizationId } of due) {
    const work = unitOfWork(scope)
    endSessions(scope, work, oneFactor(scope, organizationId))
    await work.commit()
  }
}
