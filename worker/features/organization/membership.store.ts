import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { named } from '../../platform/statements.ts'
import { type Member, members } from './members/members.table.ts'
import { type Organization, organizations } from './organization.table.ts'

/** An organization and the caller's own place in it. */
export interface Membership {
  organization: Organization
  member: Member
}

/** By which of its names an organization is asked for. */
export type OrganizationKey = { id: string } | { slug: string }

const isNamed = (key: OrganizationKey) =>
  'id' in key ? eq(organizations.id, key.id) : eq(organizations.slug, key.slug)

/** For a batch: the organization, if the user is a member of it. There is no other way to an organization. */
export const membershipQuery = (db: Database, userId: string, key: OrganizationKey) =>
  db
    .select({ organization: named(organizations, 'organization'), member: named(members, 'member') })
    .from(organizations)
    .innerJoin(members, and(eq(members.organizationId, organizations.id), eq(members.userId, userId)))
    .where(isNamed(key))

/** For other queries of the same batch: the organization's id, or nothing when the user is no member of it. */
export const organizationIdFor = (db: Database, userId: string, key: OrganizationKey) =>
  db
    .select({ id: organizations.id })
    .from(organizations)
    .innerJoin(members, and(eq(members.organizationId, organizations.id), eq(members.userId, userId)))
    .where(isNamed(key))

export async function findMembership(db: Database, userId: string, organizationId: string): Promise<Membership | null> {
  const [found] = await membershipQuery(db, userId, { id: organizationId })
  return found ?? null
}

/** Holds while a member has the roles by which a permission was decided: a write is not done in the name of others. */
export const stillHolds = (db: Database, member: Member): SQL =>
  exists(
    db
      .select({ one: sql`1` })
      .from(sql`${members} as holder`)
      .where(sql`holder.id = ${member.id} and holder.role = ${member.role}`),
  )

/** How many members an organization has, as a part of a statement. */
export const countMembers = (organizationId: string): SQL<number> =>
  sql<number>`(select count(*) from ${members} as counted where counted.organization_id = ${organizationId})`

/** How many of them have a role. */
export const countHolders = (organizationId: string, role: string): SQL<number> =>
  sql<number>`(select count(*) from ${members} as counted where counted.organization_id = ${organizationId}
    and instr(',' || counted.role || ',', ${`,${role},`}) > 0)`
