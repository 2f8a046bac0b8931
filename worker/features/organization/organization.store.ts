import { and, asc, eq, exists, ne, not, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Own } from '../../identity/caller.ts'
import { users } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Handle, Work } from '../../identity/work.ts'
import { type Page, pageSize } from '../../kit/page.ts'
import { cachedQueryFor, type Database, type Runnable } from '../../platform/database.ts'
import { type Condition, fewerThan, listContains, named, type Rows, rowExists } from '../../platform/statements.ts'
import { inOrder, invitationsQuery } from './invitations/invitations.store.ts'
import { activate, deactivateInSessions } from './model/active-organization.store.ts'
import { announceMembers, announceOrganizations } from './model/events.store.ts'
import type { Invitation } from './model/invitations.table.ts'
import { type Member, members } from './model/members.table.ts'
import {
  type Membership,
  membershipQuery,
  memberWithUser,
  type OrganizationKey,
  organizationIdFor,
} from './model/membership.store.ts'
import { type Organization, organizations } from './model/organizations.table.ts'
import type { MemberUser } from './model/present-membership.ts'
import { teamMembers } from './model/team-members.table.ts'
import { type Team, teams } from './model/teams.table.ts'
import { teamsQuery } from './teams/teams.store.ts'

const own = alias(members, 'own')
const mate = alias(members, 'mate')

/** Adds an organization with its first team and its creator, and activates it in a session. */
export function addOrganization(
  scope: Scope,
  work: Work,
  {
    organization,
    team,
    creator,
    sessionId,
  }: { organization: Organization; team: Team | null; creator: Member; sessionId: string | null },
): void {
  const { db } = scope
  work.run(db.insert(organizations).values(organization))
  if (team) work.run(db.insert(teams).values(team))
  work.run(db.insert(members).values(creator))
  if (sessionId) activate(db, work, { sessionId, organizationId: organization.id })
  announceOrganizations(work, 'organization.created', eq(organizations.id, organization.id), organization)
  announceMembers(scope, work, 'member.added', eq(members.id, creator.id), { organization, member: creator })
}

/** Holds while a user is a member of fewer organizations than the limit. @param limit null: any number */
export const mayJoinMore = (userId: string, limit: number | null): Condition =>
  fewerThan(members, eq(members.userId, userId), limit)

export async function isSlugFree(db: Database, slug: string): Promise<boolean> {
  const rows = await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.slug, slug))
  return rows.length === 0
}

/** The user's organizations without their metadata, in the order in which the user joined them. */
export const organizationsQuery = (db: Database, { cached }: Own, { limit, offset }: Page) =>
  // Without an outer join the columns are null only where the table permits it.
  queryOfOrganizations(db, cached.userId, { ...cached.values, limit, offset }) as Runnable<
    Omit<Organization, 'metadata'>
  >

const { id, name, slug, logo, createdAt } = organizations

const queryOfOrganizations = cachedQueryFor({ id, name, slug, logo, createdAt }, (db, columns, userId: SQL) =>
  db
    .select(columns)
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt), asc(organizations.id))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset')),
)

/** The organizations and roles of a user, for administrators of the application. */
export const organizationsOf = (db: Database, userId: string) =>
  db
    .select({
      id: organizations.id,
      name: organizations.name,
      slug: organizations.slug,
      role: members.role,
      joinedAt: members.createdAt,
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt))
    .limit(pageSize)

/** @returns the organization after the commit */
/** The most organizations in the claims of one token. */
const maxClaims = 200

/** The organizations, roles and teams of a user, the earliest membership first. */
export const membershipsWithTeams = (db: Database, userId: string) => {
  const names = sql<
    string[]
  >`(select json_group_array(${teams.name}) from ${teams} where ${teams.id} = ${members.teamId}
    or ${teams.id} in (select ${teamMembers.teamId} from ${teamMembers} where ${teamMembers.memberId} = ${members.id}))`
  return db
    .select({
      id: organizations.id,
      slug: organizations.slug,
      name: organizations.name,
      role: members.role,
      teams: names.mapWith((text: string) => JSON.parse(text) as string[]),
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt))
    .limit(maxClaims)
}

export function changeOrganization(
  { db }: Scope,
  work: Work,
  organizationId: string,
  changes: Partial<Pick<Organization, 'name' | 'slug' | 'logo' | 'metadata'>>,
): Handle<Organization> {
  const which = eq(organizations.id, organizationId)
  const updated = work.run(db.update(organizations).set(changes).where(which).returning(), { unlessUnchanged: true })
  announceOrganizations(work, 'organization.updated', which, () => updated.rows)
  return updated
}

/** Deletes an organization with its members, invitations and teams, and deactivates it in all sessions. */
export function removeOrganization(scope: Scope, work: Work, organization: Organization): void {
  const { db } = scope
  const { id } = organization
  const which = eq(organizations.id, id)
  const removed = work.run(
    db
      .select()
      .from(members)
      .where(eq(members.organizationId, id))
      .limit(hasReactions(scope) ? -1 : 0),
  )
  announceMembers(scope, work, 'member.removed', which, () => removed.rows.map((member) => ({ organization, member })))
  announceOrganizations(work, 'organization.deleted', which, organization)
  work.run(db.delete(organizations).where(which))
  work.run(deactivateInSessions(db, { organizationId: id }))
}

/** Whether a step reacts to removed members. Their rows are read only in that case. */
const hasReactions = (scope: Scope): boolean =>
  scope.lifecycle.reactions.some((reactions) => reactions['member.removed'] !== undefined)

/** Everything about an organization, for its members. */
export interface FullOrganization extends Membership {
  invitations: Invitation[]
  members: { member: Member; user: MemberUser }[]
  teams: Team[]
}

/** An organization with its members, invitations and teams, if the user is a member. */
export const fullQueries = (db: Database, userId: string | SQL, key: OrganizationKey, memberLimit: number) => ({
  memberships: membershipQuery(db, userId, key),
  members: db
    .select(memberWithUser)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.organizationId, organizationIdFor(db, userId, key)))
    .orderBy(asc(members.createdAt), asc(members.id))
    .limit(memberLimit),
  invitations: invitationsQuery(db, userId, key),
  teams: teamsQuery(db, userId, key),
})

type FullResults = Rows<ReturnType<typeof fullQueries>>

/** @returns null when the user is not a member */
export function readFull({
  memberships: [membership],
  members,
  invitations,
  teams,
}: FullResults): FullOrganization | null {
  return membership ? { ...membership, members, invitations: inOrder(invitations), teams } : null
}

/** Activates an organization in a session and reads it, if the user is a member. @returns rows for `readFull` */
export function addActivation(
  { db }: Scope,
  work: Work,
  { userId, key, sessionId }: { userId: string; key: OrganizationKey; sessionId: string },
  memberLimit: number,
): () => FullResults {
  const queries = fullQueries(db, userId, key, memberLimit)
  const memberships = work.run(queries.memberships)
  const members = work.run(queries.members)
  const invitations = work.run(queries.invitations)
  const teams = work.run(queries.teams)
  const id = organizationIdFor(db, userId, key)
  activate(db, work, { sessionId, organizationId: sql`${id}`, condition: exists(id), isPurpose: true })
  return () => ({
    memberships: memberships.rows,
    members: members.rows,
    invitations: invitations.rows,
    teams: teams.rows,
  })
}

const isInSameOrganization = eq(mate.organizationId, own.organizationId)

/** Holds while a user is in an organization with other members. */
export const sharesOrganization = (userId: SQL): Condition =>
  rowExists(own, and(eq(own.userId, userId), rowExists(mate, and(isInSameOrganization, ne(mate.userId, userId)))))

/** Holds while a user is the only owner of an organization with other members. */
const isOnlyOwner = (userId: string, ownerRole: string): Condition => {
  const isOther = and(isInSameOrganization, ne(mate.userId, userId))
  return rowExists(
    own,
    and(
      eq(own.userId, userId),
      listContains(own.role, ownerRole),
      rowExists(mate, isOther),
      not(rowExists(mate, and(isOther, listContains(mate.role, ownerRole)))),
    ),
  )
}

export const isNotOnlyOwner = (userId: string, ownerRole: string): Condition => not(isOnlyOwner(userId, ownerRole))

export async function ownsAlone(db: Database, userId: string, ownerRole: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isOnlyOwner(userId, ownerRole)))
  return rows.length > 0
}

/** Adds to the deletion of a user: the user leaves all organizations; those without another member are deleted. */
export function leaveOrganizations(scope: Scope, work: Work, userId: string): void {
  const { db } = scope
  const theirs = db.select({ id: own.organizationId }).from(own).where(eq(own.userId, userId))
  const isAlone = not(rowExists(mate, and(eq(mate.organizationId, organizations.id), ne(mate.userId, userId))))
  const alone = and(sql`${organizations.id} in ${theirs}`, isAlone)!
  const left = work.run(
    db
      .select({
        organization: named(organizations, 'organization'),
        member: named(members, 'member'),
        alone: sql<number>`${isAlone}`.as('alone'),
      })
      .from(members)
      .innerJoin(organizations, eq(organizations.id, members.organizationId))
      .where(eq(members.userId, userId))
      .limit(hasReactions(scope) ? -1 : 0),
  )
  announceMembers(scope, work, 'member.removed', eq(members.userId, userId), () => left.rows)
  announceOrganizations(work, 'organization.deleted', alone, () =>
    left.rows.filter((row) => row.alone).map(({ organization }) => organization),
  )
  work.run(db.delete(organizations).where(alone))
}
