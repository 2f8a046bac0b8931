import { and, asc, desc, eq, exists, type SQL, sql } from 'drizzle-orm'
import { users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { rowWhere } from '../../platform/statements.ts'
import { activateInSession, deactivateInSessions } from './active-organization.store.ts'
import { listedInvitations } from './invitations/invitations.store.ts'
import { type Invitation, invitations } from './invitations/invitations.table.ts'
import { memberWithUser } from './members/members.store.ts'
import { type Member, members } from './members/members.table.ts'
import {
  type Membership,
  membershipQuery,
  type OrganizationKey,
  organizationIdFor,
  stillHolds,
} from './membership.store.ts'
import { type Organization, organizations } from './organization.table.ts'
import type { MemberUser } from './present-organization.ts'
import { type Team, teams } from './teams/teams.table.ts'

/** Queries about organizations as a whole. Every function is one round trip. */

/**
 * Writes an organization with its creator and first team, and makes it active in a session. One batch.
 * @param limit of organizations per person; null for none
 * @returns false, and nothing is written, when the creator has reached the limit
 * @throws when the slug is taken (UNIQUE)
 */
export async function insertOrganization(
  db: Database,
  {
    organization,
    team,
    creator,
    limit,
    sessionId,
  }: { organization: Organization; team: Team | null; creator: Member; limit: number | null; sessionId: string | null },
): Promise<boolean> {
  const free =
    limit === null
      ? sql`true`
      : sql`(select count(*) from ${members} as own where own.user_id = ${creator.userId}) < ${limit}`
  const written = sql`exists (select 1 from ${organizations} as written where written.id = ${organization.id})`
  const [rows] = await db.batch([
    db
      .insert(organizations)
      .select(rowWhere(organizations, organization, free))
      .returning({ id: organizations.id }),
    ...(team ? [db.insert(teams).select(rowWhere(teams, team, written))] : []),
    db.insert(members).select(rowWhere(members, creator, written)),
    ...(sessionId ? [activateInSession(db, sessionId, organization.id, written)] : []),
  ])
  return rows.length > 0
}

export async function isSlugFree(db: Database, slug: string): Promise<boolean> {
  const rows = await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.slug, slug))
  return rows.length === 0
}

/** The user's organizations, in the order in which they joined them. */
export async function listOrganizations(db: Database, userId: string): Promise<Organization[]> {
  const rows = await db
    .select({ organization: organizations })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt), asc(organizations.id))
  return rows.map(({ organization }) => organization)
}

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
  db: Database,
  { organization, member }: Membership,
  changes: Partial<Pick<Organization, 'name' | 'slug' | 'logo' | 'metadata'>>,
): Promise<Organization | null> {
  const [updated] = await db
    .update(organizations)
    .set(changes)
    .where(and(eq(organizations.id, organization.id), stillHolds(db, member)))
    .returning()
  return updated ?? null
}

/** Members, invitations and teams go with it, and no session has it for its active one any more. One batch. */
export async function deleteOrganization(db: Database, { organization, member }: Membership): Promise<boolean> {
  const [rows] = await db.batch([
    db
      .delete(organizations)
      .where(and(eq(organizations.id, organization.id), stillHolds(db, member)))
      .returning({ id: organizations.id }),
    deactivateInSessions(
      db,
      { organizationId: organization.id },
      sql`not exists (select 1 from ${organizations} as left_over where left_over.id = ${organization.id})`,
    ),
  ])
  return rows.length > 0
}

/** Everything about an organization, for its members. */
export interface FullOrganization extends Membership {
  invitations: Invitation[]
  members: { member: Member; user: MemberUser }[]
  teams: Team[]
}

const inOrderOfCreation = (a: { createdAt: Date }, b: { createdAt: Date }) =>
  a.createdAt.getTime() - b.createdAt.getTime()

const fullQueries = (db: Database, userId: string, key: OrganizationKey, memberLimit: number) => {
  const id = organizationIdFor(db, userId, key)
  return [
    membershipQuery(db, userId, key),
    db
      .select(memberWithUser)
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(eq(members.organizationId, id))
      .orderBy(asc(members.createdAt), asc(members.id))
      .limit(memberLimit),
    db
      .select()
      .from(invitations)
      .where(eq(invitations.organizationId, id))
      .orderBy(desc(eq(invitations.status, 'pending')), desc(invitations.createdAt))
      .limit(listedInvitations),
    db.select().from(teams).where(eq(teams.organizationId, id)).orderBy(asc(teams.createdAt), asc(teams.id)),
  ] as const
}

/**
 * An organization with its members, invitations and teams, if the user is a member. One batch.
 * @param activateIn a session that it becomes the active one of
 */
export async function readFullOrganization(
  db: Database,
  userId: string,
  key: OrganizationKey,
  { memberLimit, activateIn }: { memberLimit: number; activateIn?: string },
): Promise<FullOrganization | null> {
  const queries = fullQueries(db, userId, key, memberLimit)
  const id = organizationIdFor(db, userId, key)
  const [[membership], memberRows, invitationRows, teamRows] = activateIn
    ? await db.batch([...queries, activateInSession(db, activateIn, sql`${id}` as SQL, exists(id))])
    : await db.batch(queries)
  if (!membership) return null
  return {
    ...membership,
    members: memberRows,
    invitations: invitationRows.sort(inOrderOfCreation),
    teams: teamRows,
  }
}

/** The organizations in which a user is the only owner, with the number of their members. */
export const listOwnedAlone = (db: Database, userId: string, creatorRole: string) =>
  db
    .select({ id: members.organizationId, members: sql<number>`count(*)` })
    .from(members)
    .groupBy(members.organizationId)
    .where(
      sql`${members.organizationId} in (select own.organization_id from ${members} as own where own.user_id = ${userId})`,
    )
    .having(
      // Among the owners there is one, and it is this one.
      sql`group_concat(case when instr(',' || ${members.role} || ',', ${`,${creatorRole},`}) > 0
        then ${members.userId} end) = ${userId}`,
    )

/** Holds while no organization with other people has this user as its only owner. */
export const ownsNobodyAlone = (userId: string, creatorRole: string): SQL =>
  sql`not exists (select 1 from ${members} as mate
    where mate.organization_id in (select own.organization_id from ${members} as own where own.user_id = ${userId})
    group by mate.organization_id
    having count(*) > 1 and group_concat(case when instr(',' || mate.role || ',', ${`,${creatorRole},`}) > 0
      then mate.user_id end) = ${userId})`

/** For the batch that deletes a user: deletes those of the organizations in which nobody is but them. */
export const deleteOrganizationsOf = (db: Database, userId: string, ids: string[]) =>
  db.delete(organizations).where(
    and(
      sql`${organizations.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      sql`not exists (select 1 from ${members} as mate where mate.organization_id = ${organizations.id}
          and mate.user_id <> ${userId})`,
    ),
  )
