import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Credential } from '../../../identity/lifecycle.ts'
import { accounts } from '../../../identity/model/accounts.table.ts'
import type { EventRows, EventType } from '../../../identity/model/events.ts'
import { sessions } from '../../../identity/model/sessions.table.ts'
import { users } from '../../../identity/model/users.table.ts'
import { contributed } from '../../../identity/registry.ts'
import type { Scope } from '../../../identity/scope.ts'
import { endSessions } from '../../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { connectionPrefix } from '../../../kit/connection-id.ts'
import { after } from '../../../kit/time.ts'
import { type Condition, rowExists, type Statement } from '../../../platform/statements.ts'
import { members } from '../../organization/model/members.table.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import { connections } from '../model/connections.table.ts'
import { isInVerifiedDomain } from '../model/model.store.ts'
import { signInPolicies } from '../model/policies.table.ts'
import { forbids, usersUnderRules } from './forbids.store.ts'

/** Holds for a member who has an identity at a connection of the organization. */
const hasIdentity = rowExists(
  accounts,
  and(
    eq(accounts.userId, members.userId),
    sql`${accounts.providerId} in (select ${connectionPrefix} || ${connections.id} from ${connections}
      where ${connections.organizationId} = ${members.organizationId})`,
  ),
)

const hasOwnAddress = rowExists(
  users,
  and(
    eq(users.id, members.userId),
    eq(users.emailIsPlaceholder, false),
    isInVerifiedDomain(sql`${members.organizationId}`),
  ),
)

/** For a batch: the rules follow these memberships from now on, whatever address the user has later. */
export const manageMembers = (scope: Scope, which: Condition) =>
  scope.db
    .update(members)
    .set({ isManaged: true })
    .where(and(which, eq(members.isManaged, false), or(hasOwnAddress, hasIdentity)))

export const manageMember = (scope: Scope, id: string) => manageMembers(scope, eq(members.id, id))

/** `recording`: new members who keep an address or an identity of the organization, also after they had left. */
export const manageNewMembers = (scope: Scope, type: EventType, rows: () => EventRows): Statement[] =>
  type === 'member.added' ? [manageMembers(scope, isRowOf(rows()))] : []

const isRowOf = ({ from, where }: EventRows): Condition =>
  sql`${members.id} in (select ${members.id} from ${from} where ${where})`

/** Ends sessions, and the tokens of applications that come from them. */
function endCredentials(scope: Scope, work: Work, which: (credential: Credential) => Condition): void {
  // The session of an impersonation belongs to an administrator of the deployment.
  endSessions(scope, work, and(which(sessions), isNull(sessions.impersonatedBy))!)
  work.run(contributed(scope, 'revokes', 'credentials', 'all').flatMap((end) => end(scope, which)))
}

/**
 * Ends the sessions and tokens that the rules of an organization do not allow, in the batch that changes rules, domains or
 * connections. Call it after these writes.
 */
export function endForbidden(scope: Scope, work: Work, organizationId: string): void {
  work.run(manageMembers(scope, eq(members.organizationId, organizationId)))
  const underRules = usersUnderRules(organizationId)
  endCredentials(scope, work, (credential) => and(inArray(credential.userId, underRules), forbids(scope, credential))!)
}

/** Ends the sessions of a connection that no longer signs users in, and the tokens that come from them. */
export const endSessionsOf = (scope: Scope, work: Work, connectionId: string): void =>
  // The indexes contain only these methods, and need the condition as it is written there.
  endCredentials(
    scope,
    work,
    ({ method }) => sql`${method} = ${connectionPrefix + connectionId} and substr(${method}, 1, 4) = 'sso-'`,
  )

/** For the cron trigger: policies of one run. */
const batchSize = 100

/** For the cron trigger: ends sessions with one factor of users whose time to set up a second one is over. */
export async function endOneFactorSessions(scope: Scope): Promise<void> {
  const before = after(scope.now(), -enterpriseOptions.of(scope).secondFactorGracePeriod)
  const due = await scope.db
    .select({ organizationId: signInPolicies.organizationId })
    .from(signInPolicies)
    .where(lte(signInPolicies.secondFactorSince, before))
    .limit(batchSize)
  for (const { organizationId } of due) {
    const work = unitOfWork(scope)
    endForbidden(scope, work, organizationId)
    await work.commit()
  }
}
