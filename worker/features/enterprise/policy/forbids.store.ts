import { and, eq, isNotNull, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Credential } from '../../../identity/lifecycle.ts'
import { users } from '../../../identity/model/users.table.ts'
import { isAdministratorRow } from '../../../identity/registry.ts'
import type { Scope } from '../../../identity/scope.ts'
import { connectionPrefix } from '../../../kit/connection-id.ts'
import { after } from '../../../kit/time.ts'
import { type Condition, rowExists } from '../../../platform/statements.ts'
import { members } from '../../organization/model/members.table.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import { connections } from '../model/connections.table.ts'
import { organizationDomains } from '../model/domains.table.ts'
import { domainOfUser } from '../model/model.store.ts'
import { breakGlassMembers, signInPolicies } from '../model/policies.table.ts'
import { kindsOf } from './method-kinds.ts'

/** Organizations whose rules hold for a user: those that manage the membership, and the owner of the address' domain. */
const organizationsThatRule = (userId: SQLWrapper): SQL => sql`(
  select ${members.organizationId} from ${members} where ${members.userId} = ${userId} and ${members.isManaged} = 1
  union all
  select ${organizationDomains.organizationId} from ${users}
  inner join ${organizationDomains} on ${organizationDomains.domain} = ${domainOfUser}
  where ${users.id} = ${userId} and ${users.emailIsPlaceholder} = 0 and ${organizationDomains.verifiedAt} is not null)`

/**
 * Users for whom the rules of an organization hold. Without the affinity of the domain, which the plus removes, SQLite uses the
 * index of the users' domains.
 */
export const usersUnderRules = (organizationId: string): SQL => sql`(
  select ${members.userId} from ${members} where ${members.organizationId} = ${organizationId} and ${members.isManaged} = 1
  union all
  select ${users.id} from ${organizationDomains} cross join ${users} on ${domainOfUser} = +${organizationDomains.domain}
  where ${organizationDomains.organizationId} = ${organizationId} and ${organizationDomains.verifiedAt} is not null
    and ${users.emailIsPlaceholder} = 0)`

/**
 * Holds for a credential that a rule does not allow: the one decision about sessions, keys and tokens that exist
 * (decision 245). The sign-in decides the same before it creates one, with the reason (apply-policy.ts).
 */
export function forbids(scope: Scope, { userId, method, amr }: Credential): Condition {
  const { organizationId, allowedMethods, secondFactorSince } = signInPolicies
  const isBreakGlass = sql`exists (select 1 from ${breakGlassMembers}
    inner join ${members} on ${members.id} = ${breakGlassMembers.memberId}
    where ${members.organizationId} = ${organizationId} and ${members.userId} = ${userId})`
  const isOwnConnection = rowExists(
    connections,
    and(
      eq(connections.organizationId, organizationId),
      eq(connections.state, 'active'),
      sql`${connectionPrefix} || ${connections.id} = ${method}`,
    ),
  )
  const kind = sql`(select kinds.value from json_each(${JSON.stringify(kindsOf(scope))}) as kinds where kinds.key = ${method})`
  const isAllowedMethod = sql`exists (select 1 from json_each(${allowedMethods}) as allowed where allowed.value = ${kind})`
  // No connection opens the account of an administrator of the deployment, who would have no way in.
  const isAdministrator = rowExists(users, and(sql`${users.id} = ${userId}`, isAdministratorRow(scope)))
  const before = after(scope.now(), -enterpriseOptions.of(scope).secondFactorGracePeriod)
  const hadTime = or(
    eq(users.twoFactorEnabled, true),
    and(lte(users.createdAt, before), lte(secondFactorSince, before)),
  )
  const needsSecondFactor = rowExists(users, and(sql`${users.id} = ${userId}`, hadTime))
  const hasSecondFactor = sql`exists (select 1 from json_each(${amr}) as factors where factors.value = 'mfa')`
  const broken = or(
    sql`${allowedMethods} is not null and not ${isBreakGlass} and not ${isAllowedMethod}
      and not ${isAdministrator}`,
    and(isNotNull(secondFactorSince), needsSecondFactor, sql`not ${hasSecondFactor}`),
  )
  return rowExists(
    signInPolicies,
    and(sql`${organizationId} in ${organizationsThatRule(userId)}`, sql`not ${isOwnConnection}`, broken),
  )
}
