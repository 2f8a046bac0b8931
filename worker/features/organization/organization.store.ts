import { and, asc, count, eq, exists, ne, notExists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Scope } from '../../identity/scope.ts'
import { users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, insertWhere, named, runBatch, type Statement } from '../../platform/statements.ts'
import { inOrder, invitationsQuery } from './invitations/invitations.store.ts'
import { activateInSession, deactivateInSessions } from './membership/active-organization.store.ts'
import { recordMembers, recordOrganizations } from './membership/events.store.ts'
import type { Invitation } from './membership/invitations.table.ts'
import { type Member, members } from './membership/members.table.ts'
import {
  hasRole,
  type Membership,
  membershipQuery,
  memberWithUser,
  type OrganizationKey,
  organizationIdFor,
  stillHolds,
} from './membership/membership.store.ts'
import { type Organization, organizations } from './membership/organizations.table.ts'
import type { MemberUser } from './membership/present-membership.ts'
import { type Team, teams } from './membership/teams.table.ts'
import { teamsQuery } from './teams/teams.store.ts'

/** Queries about organizations as a whole. Every function is one round trip. */

const one = { one: sql`1` }
const stored = alias(organizations, 'stored')
const own = alias(members, 'own')
const mate = alias(members, 'mate')

const organizationExists = (db: Database, id: string): SQL =>
  exists(db.select(one).from(stored).where(eq(stored.id, id)))

/**
 * Writes an organization with its creator and first team, and makes it active in a session. One batch.
 * @param limit of organizations per person; null for none
 * @returns false, and nothing is written, when the creator has reached the limit
 * @throws when the slug is taken (UNIQUE)
 */
export async function insertOrganization(
  scope: Scope,
  {
    organization,
    team,
    creator,
    limit,
    sessionId,
  }: { organization: Organization; team: Team | null; creator: Member; limit: number | null; sessionId: string | null },
): Promise<boolean> {
  const { db } = scope
  const joined = db.select({ n: count() }).from(own).where(eq(own.userId, creator.userId))
  const free = limit === null ? sql`true` : sql`${joined} < ${limit}`
  const written = organizationExists(db, organization.id)
  const [rows] = await runBatch(db, [
    insertWhere(db, organizations, organization, free).returning({ id: organizations.id }),
    ...(team ? [insertWhere(db, teams, team, written)] : []),
    insertWhere(db, members, creator, written),
    ...(sessionId ? [activateInSession(db, sessionId, organization.id, written)] : []),
    ...recordOrganizations(scope, 'organization.created', eq(organizations.id, organization.id)),
    ...recordMembers(scope, 'member.added', eq(members.id, creator.id)),
  ])
  return (rows as unknown[]).length > 0
}

export async function isSlugFree(db: Database, slug: string): Promise<boolean> {
  const rows = await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.slug, slug))
  return rows.length === 0
}

/** For a batch: the user's organizations, in the order in which they joined them. */
export const organizationsQuery = (db: Database, userId: string | SQL) =>
  db
    .select(organizationColumns)
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt), asc(organizations.id))

const { id, name, slug, logo, metadata, createdAt } = organizations
const organizationColumns = { id, name, slug, logo, metadata, createdAt }

/** For a batch: a person's organizations and their place in each, as administrators of the application see them. */
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

/** @returns null when the member no longer has the role by which they may. @throws when the slug is taken (UNIQUE) */
export async function updateOrganization(
  scope: Scope,
  { organization, member }: Membership,
  changes: Partial<Pick<Organization, 'name' | 'slug' | 'logo' | 'metadata'>>,
): Promise<Organization | null> {
  const may = and(eq(organizations.id, organization.id), stillHolds(scope.db, member))!
  const [rows] = await runBatch(scope.db, [
    scope.db.update(organizations).set(changes).where(may).returning(),
    ...recordOrganizations(scope, 'organization.updated', may),
  ])
  return (rows as Organization[])[0] ?? null
}

/**
 * Members, invitations and teams go with it, and no session has it for its active one any more. One batch.
 * @returns the members that it had; null when it was not deleted
 */
export async function deleteOrganization(
  scope: Scope,
  { organization, member }: Membership,
): Promise<readonly Member[] | null> {
  const { db } = scope
  const { id } = organization
  const may = and(eq(organizations.id, id), stillHolds(db, member))!
  const recorded = [
    ...recordMembers(scope, 'member.removed', may),
    ...recordOrganizations(scope, 'organization.deleted', may),
  ]
  const results = await runBatch(db, [
    // Whoever reacts to members who are gone has to know them.
    db
      .select()
      .from(members)
      .where(eq(members.organizationId, id))
      .limit(hasReactions(scope) ? -1 : 0),
    ...recorded,
    db.delete(organizations).where(may).returning({ id: organizations.id }),
    deactivateInSessions(db, { organizationId: id }, sql`not ${organizationExists(db, id)}`),
  ])
  return (results.at(-2) as unknown[]).length > 0 ? (results[0] as Member[]) : null
}

/** Whether anybody reacts to members who are removed. */
const hasReactions = (scope: Scope): boolean => scope.lifecycle.memberRemoved.length > 0

/** Everything about an organization, for its members. */
export interface FullOrganization extends Membership {
  invitations: Invitation[]
  members: { member: Member; user: MemberUser }[]
  teams: Team[]
}

/** For a batch: an organization with its members, invitations and teams, if the user is a member. */
export const fullQueries = (db: Database, userId: string | SQL, key: OrganizationKey, memberLimit: number) =>
  [
    membershipQuery(db, userId, key),
    db
      .select(memberWithUser)
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(eq(members.organizationId, organizationIdFor(db, userId, key)))
      .orderBy(asc(members.createdAt), asc(members.id))
      .limit(memberLimit),
    invitationsQuery(db, userId, key),
    teamsQuery(db, userId, key),
  ] as const

type ResultsOf<Q extends readonly unknown[]> = { readonly [K in keyof Q]: Awaited<Q[K]> }
type FullResults = ResultsOf<ReturnType<typeof fullQueries>>

/** @returns null when the user is not a member */
export function readFull([[membership], members, invitations, teams]: FullResults): FullOrganization | null {
  return membership ? { ...membership, members, invitations: inOrder(invitations), teams } : null
}

/** Makes an organization the active one of a session and reads it. One batch. @returns null as above */
export async function activateAndRead(
  db: Database,
  { userId, key, sessionId }: { userId: string; key: OrganizationKey; sessionId: string },
  memberLimit: number,
): Promise<FullOrganization | null> {
  const id = organizationIdFor(db, userId, key)
  const activation = activateInSession(db, sessionId, sql`${id}`, exists(id))
  return readFull(
    (await db.batch([...fullQueries(db, userId, key, memberLimit), activation])) as unknown as FullResults,
  )
}

/** Holds while a user is the only owner of an organization in which there are others. */
const ownsOthersAlone = (db: Database, userId: string, ownerRole: string): Condition => {
  const inTheSame = eq(mate.organizationId, own.organizationId)
  const others = db
    .select(one)
    .from(mate)
    .where(and(inTheSame, ne(mate.userId, userId)))
  const otherOwners = db
    .select(one)
    .from(mate)
    .where(and(inTheSame, ne(mate.userId, userId), hasRole(mate.role, ownerRole)))
  return exists(
    db
      .select(one)
      .from(own)
      .where(and(eq(own.userId, userId), hasRole(own.role, ownerRole), exists(others), notExists(otherOwners))),
  )
}

export const othersHaveAnOwnerWithout = (db: Database, userId: string, ownerRole: string): Condition =>
  sql`not ${ownsOthersAlone(db, userId, ownerRole)}`

export async function isOnlyOwnerOfOthers(db: Database, userId: string, ownerRole: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), ownsOthersAlone(db, userId, ownerRole)))
  return rows.length > 0
}

/**
 * For the batch that deletes a user: they leave their organizations, and those in which nobody else is are deleted.
 * The first statement tells which they leave, where anybody reacts to that.
 */
export function deleteOrganizationsOf(scope: Scope, userId: string): Statement[] {
  const { db } = scope
  const theirs = db.select({ id: own.organizationId }).from(own).where(eq(own.userId, userId))
  const others = db
    .select(one)
    .from(mate)
    .where(and(eq(mate.organizationId, organizations.id), ne(mate.userId, userId)))
  const alone = and(sql`${organizations.id} in ${theirs}`, notExists(others))!
  return [
    db
      .select({
        organization: named(organizations, 'organization'),
        member: named(members, 'member'),
        alone: sql`${notExists(others)}`.as('alone'),
      })
      .from(members)
      .innerJoin(organizations, eq(organizations.id, members.organizationId))
      .where(eq(members.userId, userId))
      .limit(hasReactions(scope) ? -1 : 0),
    ...recordMembers(scope, 'member.removed', eq(members.userId, userId)),
    ...recordOrganizations(scope, 'organization.deleted', alone),
    db.delete(organizations).where(alone),
  ]
}

/** What the first of those statements tells. */
export type LeftOrganization = Membership & { alone: number }
