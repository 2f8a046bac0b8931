import { and, eq, inArray, isNotNull, not, or, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, excluded, insertWhere, listContains, rowExists } from '../../../platform/statements.ts'
import { announceMembers } from '../../organization/model/events.store.ts'
import { type Member, members } from '../../organization/model/members.table.ts'
import { isMember } from '../../organization/model/membership.store.ts'
import { type Organization, organizations } from '../../organization/model/organizations.table.ts'
import { cancelInvitationsOfMember } from '../../organization/model/pending-invitations.store.ts'
import { connections } from '../model/connections.table.ts'
import { organizationDomains } from '../model/domains.table.ts'
import { ownsDomain } from '../model/model.store.ts'
import { breakGlassMembers, type SignInPolicy, signInPolicies } from '../model/policies.table.ts'

/** What a sign-in depends on: the rules of one organization for a user. */
export interface SignInRules {
  organization: Organization
  policy: SignInPolicy | null
  /** The user's membership of the organization. */
  member: Pick<Member, 'id' | 'isManaged'> | null
  isBreakGlass: boolean
  /** Ids of the active connections of the organization, the oldest first. */
  activeConnections: string[]
}

/** The same for the organization that has verified a domain. */
export interface DomainRules extends SignInRules {
  /** The connection that the domain names, in any state. */
  connectionId: string | null
}

const ruleColumns = () => ({
  organization: organizations,
  policy: signInPolicies,
  memberId: members.id,
  isManaged: members.isManaged,
  breakGlass: breakGlassMembers.memberId,
  activeConnections: sql<
    string[]
  >`(select json_group_array(found.id) from (select ${connections.id} as id from ${connections}
    where ${connections.organizationId} = ${organizations.id} and ${connections.state} = 'active'
    order by ${connections.createdAt}, ${connections.id}) as found)`.mapWith(
    (text: string) => JSON.parse(text) as string[],
  ),
  /** Null: another domain, and a membership, lead to the organization. */
  domain: organizationDomains.domain,
  connectionId: organizationDomains.connectionId,
})

/**
 * The rules of the organizations that rule a user, in one round trip: the owner of a domain, and those that manage the
 * user's membership.
 * @param domain that of the address if an organization owns it @param userId may be a user who does not exist yet
 */
export async function findRules(
  db: Database,
  domain: string | null,
  userId: string,
): Promise<(DomainRules & { domain: string | null })[]> {
  const byDomain = and(
    eq(organizationDomains.organizationId, organizations.id),
    eq(organizationDomains.domain, domain ?? ''),
    isNotNull(organizationDomains.verifiedAt),
  )
  const owner = db
    .select({ id: organizationDomains.organizationId })
    .from(organizationDomains)
    .where(and(eq(organizationDomains.domain, domain ?? ''), isNotNull(organizationDomains.verifiedAt)))
  const managing = db
    .select({ id: members.organizationId })
    .from(members)
    .where(and(eq(members.userId, userId), eq(members.isManaged, true)))
  const rows = await db
    .select(ruleColumns())
    .from(organizations)
    .leftJoin(organizationDomains, byDomain)
    .leftJoin(signInPolicies, eq(signInPolicies.organizationId, organizations.id))
    .leftJoin(members, and(eq(members.organizationId, organizations.id), eq(members.userId, userId)))
    .leftJoin(breakGlassMembers, eq(breakGlassMembers.memberId, members.id))
    .where(or(inArray(organizations.id, owner), inArray(organizations.id, managing)))
  return rows.map(({ breakGlass, memberId, isManaged, ...rules }) => ({
    ...rules,
    member: memberId === null ? null : { id: memberId, isManaged: isManaged ?? false },
    isBreakGlass: breakGlass !== null,
  }))
}

export const writePolicy = (db: Database, policy: SignInPolicy) =>
  db
    .insert(signInPolicies)
    .values(policy)
    .onConflictDoUpdate({
      target: signInPolicies.organizationId,
      set: {
        allowedMethods: excluded(signInPolicies.allowedMethods),
        secondFactorSince: sql`case when ${excluded(signInPolicies.secondFactorSince)} is null then null
          else coalesce(${signInPolicies.secondFactorSince}, ${excluded(signInPolicies.secondFactorSince)}) end`,
        joinsAutomatically: excluded(signInPolicies.joinsAutomatically),
        challengesUnknownDevices: excluded(signInPolicies.challengesUnknownDevices),
        updatedAt: excluded(signInPolicies.updatedAt),
      },
    })
    .returning()

/** Replaces the break-glass owners of an organization. */
export function replaceBreakGlass(
  db: Database,
  { organizationId, ids, ownerRole, now }: { organizationId: string; ids: string[]; ownerRole: string; now: Date },
) {
  const ofOrganization = db.select({ id: members.id }).from(members).where(eq(members.organizationId, organizationId))
  return [
    db.delete(breakGlassMembers).where(inArray(breakGlassMembers.memberId, ofOrganization)),
    db.insert(breakGlassMembers).select(
      db
        .select({ memberId: members.id, createdAt: sql<Date>`${now.getTime()}`.as('created_at') })
        .from(members)
        .where(
          and(
            eq(members.organizationId, organizationId),
            inArray(members.id, ids.length > 0 ? ids : ['']),
            listContains(members.role, ownerRole),
          ),
        ),
    ),
  ]
}

/** Holds while the organization has so many break-glass owners. */
export const hasBreakGlassMembers = (organizationId: string, count: number): Condition =>
  sql`(select count(*) from ${breakGlassMembers} inner join ${members} on ${members.id} = ${breakGlassMembers.memberId}
    where ${members.organizationId} = ${organizationId}) = ${count}`

/**
 * Makes a user a member, unless the user is one, the organization is full or the domain has been lost. In the batch of
 * the sign-in, which never fails for it.
 */
export function addJoining(
  scope: Scope,
  work: Work,
  joining: { organization: Organization; member: Member; domain: string; hasRoom: Condition },
): void {
  const { organization, member, domain, hasRoom } = joining
  const { organizationId, userId } = member
  const mayJoin = and(
    not(isMember(organizationId, userId)),
    hasRoom,
    ownsDomain(organizationId, domain),
    rowExists(users, eq(users.id, userId)),
  )!
  const added = work.run(insertWhere(scope.db, members, member, mayJoin).returning())
  const facts = () => added.rows.map((row) => ({ organization, member: row }))
  announceMembers(scope, work, 'member.added', eq(members.id, member.id), facts)
  cancelInvitationsOfMember(scope, work, member.id)
}
