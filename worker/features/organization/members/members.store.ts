import { and, eq, type SQL, sql } from 'drizzle-orm'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { named, rowWhere } from '../../../platform/statements.ts'
import { deactivateInSessions } from '../active-organization.store.ts'
import {
  countHolders,
  countMembers,
  type Membership,
  membershipQuery,
  organizationIdFor,
  stillHolds,
} from '../membership.store.ts'
import { organizations } from '../organization.table.ts'
import type { MemberUser } from '../present-organization.ts'
import { teams } from '../teams/teams.table.ts'
import { type Member, members } from './members.table.ts'

/** Queries about members. Every function is one round trip. */

export interface MemberWithUser {
  member: Member
  user: MemberUser
}

const { id, name, email, image } = named(users, 'user')

/** What is selected of a member with their user. */
export const memberWithUser = { member: named(members, 'member'), user: { id, name, email, image } }

/**
 * The caller's membership and, in the same organization only, another member.
 * @param target an address (with an @) or a member's id
 */
export async function findMemberFor(
  db: Database,
  userId: string,
  organizationId: string,
  target: string,
): Promise<{ membership: Membership | null; target: MemberWithUser | null }> {
  const key = { id: organizationId }
  const [[membership], [found]] = await db.batch([
    membershipQuery(db, userId, key),
    db
      .select(memberWithUser)
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(
        and(
          eq(members.organizationId, organizationIdFor(db, userId, key)),
          target.includes('@') ? eq(users.email, target.toLowerCase()) : eq(members.id, target),
        ),
      ),
  ])
  return { membership: membership ?? null, target: found ?? null }
}

/** Holds while an organization keeps an owner without this member. */
const notTheLastOwner = (member: Member, creatorRole: string): SQL =>
  sql`(instr(',' || ${members.role} || ',', ${`,${creatorRole},`}) = 0
    or ${countHolders(member.organizationId, creatorRole)} > 1)`

/**
 * Takes a member out, unless they are the only owner, and with them the organization out of their sessions. One batch.
 * @param by whoever removes them, with the roles that allow it
 * @returns whether they were removed
 */
export async function deleteMember(db: Database, member: Member, by: Member, creatorRole: string): Promise<boolean> {
  const { id, organizationId, userId, role } = member
  const [rows] = await db.batch([
    db
      .delete(members)
      .where(
        and(
          eq(members.id, id),
          eq(members.organizationId, organizationId),
          eq(members.role, role),
          notTheLastOwner(member, creatorRole),
          stillHolds(db, by),
        ),
      )
      .returning({ id: members.id }),
    deactivateInSessions(
      db,
      { organizationId, userId },
      sql`not exists (select 1 from ${members} as left_over where left_over.id = ${id})`,
    ),
  ])
  return rows.length > 0
}

/**
 * Replaces a member's roles, if they still are what was read and an owner remains.
 * @returns null when not
 */
export async function updateRole(
  db: Database,
  member: Member,
  role: string,
  by: Member,
  { creatorRole, staysOwner }: { creatorRole: string; staysOwner: boolean },
): Promise<Member | null> {
  const [updated] = await db
    .update(members)
    .set({ role })
    .where(
      and(
        eq(members.id, member.id),
        eq(members.organizationId, member.organizationId),
        eq(members.role, member.role),
        staysOwner ? undefined : notTheLastOwner(member, creatorRole),
        stillHolds(db, by),
      ),
    )
    .returning()
  return updated ?? null
}

/** What a member that a server adds refers to; null for what there is not. */
export async function findForNewMember(
  db: Database,
  { organizationId, userId, teamId }: { organizationId: string; userId: string; teamId: string | null },
) {
  const [[organization], [user], [team]] = await db.batch([
    db.select().from(organizations).where(eq(organizations.id, organizationId)),
    db.select().from(users).where(eq(users.id, userId)),
    db
      .select()
      .from(teams)
      .where(and(eq(teams.organizationId, organizationId), eq(teams.id, teamId ?? ''))),
  ])
  return { organization: organization ?? null, user: user ?? null, team: team ?? null }
}

/** Adds a member while there is room. @returns false when there is none. @throws when they are one already (UNIQUE) */
export async function insertMember(db: Database, member: Member, limit: number): Promise<boolean> {
  const rows = await db
    .insert(members)
    .select(rowWhere(members, member, sql`${countMembers(member.organizationId)} < ${limit}`))
    .returning({ id: members.id })
  return rows.length > 0
}
