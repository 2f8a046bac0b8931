import { and, asc, type Column, count, eq, isNull, ne, not, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../identity/model/accounts.table.ts'
import type { EventRows, EventType } from '../../../identity/model/events.ts'
import { users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import { newId } from '../../../kit/random.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, listContains, named, read, rowExists, type Statement } from '../../../platform/statements.ts'
import { type Connection, connections } from '../../enterprise/model/connections.table.ts'
import { organizationDomains } from '../../enterprise/model/domains.table.ts'
import { ownsDomain } from '../../enterprise/model/model.store.ts'
import { breakGlassMembers } from '../../enterprise/model/policies.table.ts'
import { announceMembers } from '../../organization/model/events.store.ts'
import { members } from '../../organization/model/members.table.ts'
import type { Membership } from '../../organization/model/membership.store.ts'
import { rolesOutOfReach } from '../../organization/model/membership.ts'
import { organizationOptions } from '../../organization/model/organization.config.ts'
import { organizations } from '../../organization/model/organizations.table.ts'
import { cancelInvitationsByRole } from '../../organization/model/pending-invitations.store.ts'
import { teamMembers } from '../../organization/model/team-members.table.ts'
import { teams } from '../../organization/model/teams.table.ts'
import { settleTeams } from '../../organization/teams/team-members.store.ts'
import { directoryGroups, directoryGroupMembers as memberships } from '../model/groups.table.ts'
import {
  directoryDepartures as departures,
  directoryUsers as entries,
  directoryAccounts as unentered,
} from '../model/users.table.ts'

export interface AccountKey {
  entryId: string
  /** The account of the entry. */
  userId: string | null
  /** The address of an entry without an account. */
  email: string | null
}

/** Everything that decides about the access of an entry, in one round trip. */
export async function findAccount(db: Database, { id, organizationId }: Connection, key: AccountKey) {
  const { entryId, userId, email } = key
  const known: SQL = userId
    ? sql`${userId}`
    : sql`(select ${users.id} from ${users} where ${users.email} = ${email ?? ''})`
  const domain = sql`substr(${users.email}, instr(${users.email}, '@') + 1)`
  const found = await read(db, {
    users: db.select().from(users).where(eq(users.id, known)),
    organizations: db.select().from(organizations).where(eq(organizations.id, organizationId)),
    members: db
      .select()
      .from(members)
      .where(and(eq(members.organizationId, organizationId), eq(members.userId, known))),
    others: db
      .select({ others: count().as('others') })
      .from(members)
      .where(and(ne(members.organizationId, organizationId), eq(members.userId, known))),
    /** Whether the organization has verified the domain of the address of the account. */
    managed: db
      .select({ met: sql<number>`1`.as('met') })
      .from(users)
      .where(
        and(
          eq(users.id, known),
          eq(users.emailIsPlaceholder, false),
          rowExists(
            organizationDomains,
            and(
              eq(organizationDomains.organizationId, organizationId),
              eq(organizationDomains.domain, domain),
              sql`${organizationDomains.verifiedAt} is not null`,
            ),
          ),
        ),
      ),
    owned: db
      .select({ met: sql<number>`${ownsDomain(organizationId, domainOf(email))}`.as('met') })
      .from(sql`(select 1)`),
    unentered: db
      .select({ met: sql<number>`1`.as('met') })
      .from(users)
      .where(and(eq(users.id, known), isUnentered(known, { organizationId, entryId }))),
    inUse: db
      .select({ id: entries.id })
      .from(entries)
      .where(and(eq(entries.connectionId, id), eq(entries.userId, known), ne(entries.id, entryId)))
      .limit(1),
  })
  return {
    user: found.users[0] ?? null,
    organization: found.organizations[0] ?? null,
    member: found.members[0] ?? null,
    isElsewhere: (found.others[0]?.others ?? 0) > 0,
    isManaged: found.managed.length > 0,
    isOwnAddress: found.owned[0]?.met === 1,
    isInUse: found.inUse.length > 0,
    /** Whether the account exists because of this entry only. */
    isUnentered: found.unentered.length > 0,
  }
}

/**
 * Holds for an account that a directory has created, without a sign-in until now, without an identity or a password, and which no
 * other organization and no other entry has. @param but of this organization and this entry; null for any
 */
export const isUnentered = (
  userId: string | SQL | Column,
  but: { organizationId: string; entryId: string } | null,
): Condition =>
  and(
    rowExists(unentered, eq(unentered.userId, userId)),
    not(rowExists(accounts, eq(accounts.userId, userId))),
    not(
      rowExists(
        members,
        and(eq(members.userId, userId), but ? ne(members.organizationId, but.organizationId) : undefined),
      ),
    ),
    not(rowExists(entries, and(eq(entries.userId, userId), but ? ne(entries.id, but.entryId) : undefined))),
  )!

export const insertUnentered = (db: Database, row: typeof unentered.$inferInsert) => db.insert(unentered).values(row)

export const deleteUnentered = (db: Database, userId: string) =>
  db.delete(unentered).where(eq(unentered.userId, userId))

/** Accounts whose connection has been deleted and that nothing else needs, the oldest ones first. */
export const listLeftAccounts = (db: Database, limit: number) =>
  db
    .select({ user: named(users, 'user') })
    .from(unentered)
    .innerJoin(users, eq(users.id, unentered.userId))
    .where(and(isNull(unentered.connectionId), isUnentered(unentered.userId, null)))
    .orderBy(asc(unentered.createdAt))
    .limit(limit)

const domainOf = (email: string | null) => email?.slice(email.lastIndexOf('@') + 1) ?? ''

export const insertDeparture = (db: Database, connectionId: string, userId: string, createdAt: Date) =>
  db.insert(departures).values({ connectionId, userId, createdAt }).onConflictDoNothing()

export const deleteDeparture = (db: Database, connectionId: string, userId: string) =>
  db.delete(departures).where(and(eq(departures.connectionId, connectionId), eq(departures.userId, userId)))

/**
 * Holds unless a directory has deactivated the user, whose address is in a verified domain of the organization of the
 * directory.
 */
export const hasNotDeparted = (userId: string, domain: string): Condition =>
  not(sql`exists (select 1 from ${departures}
    inner join ${connections} on ${connections.id} = ${departures.connectionId}
    inner join ${organizationDomains} on ${organizationDomains.organizationId} = ${connections.organizationId}
    where ${departures.userId} = ${userId} and ${organizationDomains.domain} = ${domain}
      and ${organizationDomains.verifiedAt} is not null)`)

/** Holds unless the member is an owner with emergency access. */
export const isNoBreakGlass = (memberId: string): Condition =>
  not(rowExists(breakGlassMembers, eq(breakGlassMembers.memberId, memberId)))

/** Deletes the tokens that providers have issued for a user. */
export const deleteProviderTokens = (db: Database, userId: string) =>
  db
    .update(accounts)
    .set({
      accessToken: null,
      refreshToken: null,
      idToken: null,
      accessTokenExpiresAt: null,
      refreshTokenExpiresAt: null,
    })
    .where(eq(accounts.userId, userId))

/** Holds for an entry of the current row that is in one of the groups of a mapping. @param named the name in JSON */
const isInGroup = (named: SQL): SQL => sql`exists (select 1 from ${memberships}
  inner join ${directoryGroups} on ${directoryGroups.id} = ${memberships.groupId}
  where ${memberships.entryId} = ${entries.id}
    and ${named} in (${directoryGroups.displayName}, ${directoryGroups.externalId}, ${directoryGroups.id}))`

/**
 * Sets the roles and teams of members by the groups of their entries, in one pass for any number of them. The role is the
 * first one of the mapping that fits. Without one, a role of the mapping becomes the default role, and another role
 * remains. Owners keep their role. Call it after the writes of entries and groups.
 * @param affected ids of entries; null: all of the connection
 */
export function settleAccess(
  scope: Scope,
  work: Work,
  connection: Connection,
  organization: Membership['organization'],
  affected: readonly string[] | null,
): void {
  const { mapping, id, organizationId } = connection
  const { db } = scope
  const isAffected = and(
    eq(entries.connectionId, id),
    eq(entries.active, true),
    affected === null ? undefined : sql`${entries.id} in (select value from json_each(${JSON.stringify(affected)}))`,
  )
  const isOfMember = and(isAffected, eq(entries.userId, members.userId))
  const pairs = sql`${JSON.stringify(mapping.roles.map(({ group, role }) => [group, role]))}`
  const assigned = [...new Set(mapping.roles.map(({ role }) => role))]
  const mapped = sql`(select json_extract(pair.value, '$[1]') from json_each(${pairs}) as pair
    where ${isInGroup(sql`json_extract(pair.value, '$[0]')`)} order by pair.key limit 1)`
  const wanted = sql`coalesce(${mapped}, case when ${members.role} in (select value from json_each(${JSON.stringify(assigned)}))
    then ${mapping.defaultRole} else ${members.role} end)`
  const isNoOwner = not(listContains(members.role, organizationOptions.of(scope).creatorRole))
  const roles = assigned.length === 0 ? [] : [...new Set([...assigned, mapping.defaultRole])]
  for (const role of roles) {
    const which = and(
      eq(members.organizationId, organizationId),
      ne(members.role, role),
      isNoOwner,
      rowExists(entries, and(isOfMember, sql`${wanted} = ${role}`)),
    )!
    const facts = () => changed.rows.map((member) => ({ organization, member }))
    announceMembers(scope, work, 'member.role-changed', { which, role }, facts)
    const changed = work.run(db.update(members).set({ role, roleChangedAt: scope.now() }).where(which).returning())
    cancelInvitationsByRole(scope, work, { organizationId, role, outOfReach: rolesOutOfReach(scope, { role }) })
  }
  if (mapping.teams.length === 0 || !organizationOptions.of(scope).teams.enabled) return
  const named = sql`${JSON.stringify(mapping.teams.map(({ group, teamId }) => [teamId, group]))}`
  const isMapped = (team: SQL | Column) =>
    sql`${team} in (select json_extract(pair.value, '$[0]') from json_each(${named}) as pair)`
  const belongs = (team: SQL | Column) =>
    sql`exists (select 1 from json_each(${named}) as pair where json_extract(pair.value, '$[0]') = ${team}
      and ${isInGroup(sql`json_extract(pair.value, '$[1]')`)})`
  const ofOrganization = eq(members.organizationId, organizationId)
  const leaves = (team: SQL | Column) =>
    and(ofOrganization, isMapped(team), rowExists(entries, and(isOfMember, not(belongs(team)))))!
  work.run(db.update(members).set({ teamId: null }).where(leaves(members.teamId)))
  work.run(
    db
      .delete(teamMembers)
      .where(
        and(
          isMapped(teamMembers.teamId),
          rowExists(members, and(eq(members.id, teamMembers.memberId), leaves(teamMembers.teamId))),
        ),
      ),
  )
  work.run(
    db
      .insert(teamMembers)
      .select(
        db
          .select({
            id: sql<string>`${newId()} || ${members.id} || ${teams.id}`.as('id'),
            teamId: teams.id,
            memberId: members.id,
            createdAt: sql<Date>`${scope.now().getTime()}`.as('created_at'),
          })
          .from(members)
          .innerJoin(teams, eq(teams.organizationId, members.organizationId))
          .where(
            and(
              ofOrganization,
              isMapped(teams.id),
              rowExists(entries, and(isOfMember, belongs(teams.id))),
              sql`${members.teamId} is not ${teams.id}`,
            ),
          ),
      )
      .onConflictDoNothing(),
  )
  work.run(settleTeams(db, organizationId))
}

/** `recording`: a new member with an entry in a directory of the organization follows its rules, also after leaving. */
export const manageEntries = ({ db }: Scope, type: EventType, rows: () => EventRows): Statement[] => {
  if (type !== 'member.added') return []
  const { from, where } = rows()
  const hasEntry = sql`exists (select 1 from ${entries} inner join ${connections} on ${connections.id} = ${entries.connectionId}
    where ${entries.userId} = ${members.userId} and ${connections.organizationId} = ${members.organizationId})`
  const isNew = sql`${members.id} in (select ${members.id} from ${from} where ${where})`
  return [
    db
      .update(members)
      .set({ isManaged: true })
      .where(and(isNew, eq(members.isManaged, false), hasEntry)),
  ]
}
