import { and, type Column, count, eq, exists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, named } from '../../../platform/statements.ts'
import { type Member, members } from './members.table.ts'
import { type Organization, organizations } from './organizations.table.ts'

/** What every sub-feature asks about members, as parts of its own statements and batches. */

/** An organization and the caller's own place in it. */
export interface Membership {
  organization: Organization
  member: Member
}

/** A value, or an expression that is one within a statement. */
type Value = string | SQL

/** By which of its names an organization is asked for. */
export type OrganizationKey = { id: Value | SQL<string | null> } | { slug: string }

const isNamed = (key: OrganizationKey) =>
  'id' in key ? eq(organizations.id, key.id) : eq(organizations.slug, key.slug)

const isMemberOf = (userId: Value) => and(eq(members.organizationId, organizations.id), eq(members.userId, userId))

/** For a batch: the organization, if the user is a member of it. There is no other way to an organization. */
export const membershipQuery = (db: Database, userId: Value, key: OrganizationKey) =>
  db
    .select({ organization: named(organizations, 'organization'), member: named(members, 'member') })
    .from(organizations)
    .innerJoin(members, isMemberOf(userId))
    .where(isNamed(key))

/** For other queries of the same batch: the organization's id, or nothing when the user is not a member of it. */
export const organizationIdFor = (db: Database, userId: Value, key: OrganizationKey) =>
  db.select({ id: organizations.id }).from(organizations).innerJoin(members, isMemberOf(userId)).where(isNamed(key))

export async function findMembership(db: Database, userId: string, organizationId: string): Promise<Membership | null> {
  const [found] = await membershipQuery(db, userId, { id: organizationId })
  return found ?? null
}

const { id, name, email, emailIsPlaceholder, image, language } = named(users, 'user')

/** What is selected of a member with their user. */
export const memberWithUser = {
  member: named(members, 'member'),
  user: { id, name, email, emailIsPlaceholder, image, language },
}

/** Holds where a column of roles, joined by commas, has this one among them. */
export const hasRole = (roles: SQL | Column, role: Value): Condition =>
  sql`instr(',' || ${roles} || ',', ',' || ${role} || ',') > 0`

const holder = alias(members, 'holder')

/** Holds while a member has the roles by which a permission was decided: a write is not done in the name of others. */
export const stillHolds = (db: Database, { id, role }: Pick<Member, 'id' | 'role'>): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(holder)
      .where(and(eq(holder.id, id), eq(holder.role, role))),
  )

const counted = alias(members, 'counted')

/** How many members an organization has, or how many with a role, as a part of a statement. */
export const countMembers = (db: Database, organizationId: string, role?: string): SQL<number> =>
  sql<number>`${db
    .select({ n: count() })
    .from(counted)
    .where(
      and(eq(counted.organizationId, organizationId), role === undefined ? undefined : hasRole(counted.role, role)),
    )}`

/** Holds for a member who can go, or lose the owner's role, because the organization has another owner. */
export const anotherOwnerRemains = (db: Database, organizationId: string, ownerRole: string): Condition =>
  sql`${countMembers(db, organizationId, ownerRole)} > 1`

const present = alias(members, 'present')

/** Holds while a user is a member of an organization. */
export const isMember = (db: Database, organizationId: string, userId: string): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(present)
      .where(and(eq(present.organizationId, organizationId), eq(present.userId, userId))),
  )

/** The same by the address of the user. */
export const isMemberByEmail = (db: Database, organizationId: string, email: string): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(present)
      .innerJoin(users, eq(users.id, present.userId))
      .where(and(eq(present.organizationId, organizationId), eq(users.email, email))),
  )

/** Holds once a member has been written. */
export const memberExists = (db: Database, memberId: string): Condition =>
  exists(db.select({ one: sql`1` }).from(present).where(eq(present.id, memberId)))
