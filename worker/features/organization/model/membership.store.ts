import { and, asc, eq, ne, or, type SQL } from 'drizzle-orm'
import { type User, users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, listContains, named, rowExists } from '../../../platform/statements.ts'
import { type Member, members } from './members.table.ts'
import { organizationOptions, resolveLimit } from './organization.config.ts'
import { type Organization, organizations } from './organizations.table.ts'

/** Statements and conditions about members that the sub-features share. */

/** An organization and the caller's membership. */
export interface Membership {
  organization: Organization
  member: Member
}

/** A value or an expression. */
type Value = string | SQL

export type OrganizationKey = { id: Value | SQL<string | null> } | { slug: string }

const isNamed = (key: OrganizationKey) =>
  'id' in key ? eq(organizations.id, key.id) : eq(organizations.slug, key.slug)

const isMemberOf = (userId: Value) => and(eq(members.organizationId, organizations.id), eq(members.userId, userId))

/** The organization, if the user is a member. All reads of an organization for a user go through this condition. */
export const membershipQuery = (db: Database, userId: Value, key: OrganizationKey) =>
  db
    .select({ organization: named(organizations, 'organization'), member: named(members, 'member') })
    .from(organizations)
    .innerJoin(members, isMemberOf(userId))
    .where(isNamed(key))

/** The id of the organization, if the user is a member: for other queries of the same batch. */
export const organizationIdFor = (db: Database, userId: Value, key: OrganizationKey) =>
  db.select({ id: organizations.id }).from(organizations).innerJoin(members, isMemberOf(userId)).where(isNamed(key))

export async function findMembership(db: Database, userId: string, organizationId: string): Promise<Membership | null> {
  const [found] = await membershipQuery(db, userId, { id: organizationId })
  return found ?? null
}

const { id, name, email, emailIsPlaceholder, image, language } = named(users, 'user')

export const memberWithUser = {
  member: named(members, 'member'),
  user: { id, name, email, emailIsPlaceholder, image, language },
}

/**
 * Holds while a member has the roles that were read. The permission is checked before the write, which requires this
 * condition.
 */
export const rolesUnchanged = ({ id, role }: Pick<Member, 'id' | 'role'>): Condition =>
  rowExists(members, and(eq(members.id, id), eq(members.role, role)))

/** Holds while an organization has fewer members than the limit, or than a higher one that a feature gives it. */
export async function hasFewerMembers(
  scope: Scope,
  { user, organization }: { user: User; organization: Organization },
): Promise<Condition> {
  const { id } = organization
  const option = organizationOptions.of(scope).membershipLimit
  const limit = await resolveLimit(option, { user, organization })
  // A function of the configuration knows the organization, and decides alone.
  const raised = typeof option === 'function' ? [] : scope.lifecycle.registry('raisedMemberLimit')
  const isBelow = (max: number) => fewerThan(members, eq(members.organizationId, id), max)
  const higher = raised.flatMap((raise) => {
    const { holds, max } = raise(scope, id)
    return max > limit ? [and(holds, isBelow(max))] : []
  })
  return or(isBelow(limit), ...higher)!
}

/** Holds while an organization has another owner than the member. */
export const hasAnotherOwner = ({ id, organizationId }: Member, ownerRole: string): Condition =>
  rowExists(
    members,
    and(eq(members.organizationId, organizationId), ne(members.id, id), listContains(members.role, ownerRole)),
  )

export const isMember = (organizationId: string, userId: string): Condition =>
  rowExists(members, and(eq(members.organizationId, organizationId), eq(members.userId, userId)))

export const isMemberByEmail = (organizationId: string, email: string): Condition =>
  rowExists(
    users,
    and(
      eq(users.email, email),
      rowExists(members, and(eq(members.organizationId, organizationId), eq(members.userId, users.id))),
    ),
  )

const maxNotified = 20

/** The name of an organization, and the owners who get notices: those with a verified address. */
export const findOwners = (db: Database, organizationId: string, ownerRole: string) =>
  db
    .select({
      organization: organizations.name,
      email: users.email,
      name: users.name,
      language: users.language,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(
      and(
        eq(members.organizationId, organizationId),
        listContains(members.role, ownerRole),
        eq(users.emailVerified, true),
        eq(users.emailIsPlaceholder, false),
      ),
    )
    .orderBy(asc(members.createdAt))
    .limit(maxNotified)

/** Holds while the organization exists. */
export const organizationExists = (id: string): Condition => rowExists(organizations, eq(organizations.id, id))
