import { and, eq, exists, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Scope } from '../../../identity/scope.ts'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, insertWhere, runBatch, type Statement } from '../../../platform/statements.ts'
import { deactivateInSessions } from '../membership/active-organization.store.ts'
import { recordMembers, recordOrganizations } from '../membership/events.store.ts'
import { type Member, members } from '../membership/members.table.ts'
import {
  anotherOwnerRemains,
  countMembers,
  type Membership,
  membershipQuery,
  memberWithUser,
  organizationIdFor,
  stillHolds,
} from '../membership/membership.store.ts'
import { organizations } from '../membership/organizations.table.ts'
import { endInvitations, endInvitationsTo } from '../membership/pending-invitations.store.ts'
import type { MemberUser } from '../membership/present-membership.ts'
import { teams } from '../membership/teams.table.ts'

/** Queries about members. Every function is one round trip. */

export interface MemberWithUser {
  member: Member
  user: MemberUser
}

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

const target = alias(members, 'target')

/**
 * A change of a member as it was decided about: they and whoever changes them have the roles that were read, and the
 * organization keeps an owner.
 */
export interface MemberChange {
  member: Member
  by: Member
  /** The owner's role, if the member has it and loses it. */
  losesOwnership: string | null
}

/** Holds while a change may be made. */
export const mayStillChange = (db: Database, { member, by, losesOwnership }: MemberChange): Condition =>
  and(
    exists(
      db
        .select({ one: sql`1` })
        .from(target)
        .where(
          and(eq(target.id, member.id), eq(target.organizationId, member.organizationId), eq(target.role, member.role)),
        ),
    ),
    stillHolds(db, by),
    losesOwnership === null ? undefined : anotherOwnerRemains(db, member.organizationId, losesOwnership),
  )!

/**
 * Takes a member out, and with them the organization out of their sessions, and the invitations by them and to them out
 * of it. One batch.
 * @param tasks written only with it
 * @returns null when they were not removed; `removed-last` when the organization closed with them
 */
export async function deleteMember(
  scope: Scope,
  change: MemberChange,
  tasks: readonly Statement[],
): Promise<'removed' | 'removed-last' | null> {
  const { db } = scope
  const { id, organizationId, userId } = change.member
  const left = alias(members, 'left_over')
  const gone = notExists(
    db
      .select({ one: sql`1` })
      .from(left)
      .where(and(eq(left.organizationId, organizationId), eq(left.userId, userId))),
  )
  const email = sql`${db.select({ email: users.email }).from(users).where(eq(users.id, userId))}`
  const nobody = sql`${countMembers(db, organizationId)} = 0`
  const may = and(eq(members.id, id), mayStillChange(db, change))!
  const before = [...tasks, ...recordMembers(scope, 'member.removed', may)]
  const deserted = and(eq(organizations.id, organizationId), nobody)!
  const results = await runBatch(db, [
    ...before,
    db.delete(members).where(may).returning({ id: members.id }),
    deactivateInSessions(db, { organizationId, userId }, gone),
    ...endInvitations(scope, { organizationId, inviterId: userId, outOfReach: 'all' }, gone),
    ...endInvitationsTo(scope, { organizationId, email }, gone),
    // Whose owner an administrator has removed, its last member closes.
    ...recordOrganizations(scope, 'organization.deleted', deserted),
    db.delete(organizations).where(deserted).returning({ id: organizations.id }),
  ])
  if ((results[before.length] as unknown[]).length === 0) return null
  return (results.at(-1) as unknown[]).length > 0 ? 'removed-last' : 'removed'
}

/**
 * Replaces a member's roles, and ends the invitations that they could not make with the new ones. One batch.
 * @param outOfReach the roles with which they can invite nobody any more
 * @param tasks written only with it
 * @returns null when the change could not be made any more
 */
export async function updateRole(
  scope: Scope,
  change: MemberChange,
  { role, outOfReach }: { role: string; outOfReach: string[] },
  tasks: readonly Statement[],
): Promise<Member | null> {
  const { db } = scope
  const { id, organizationId, userId } = change.member
  const may = and(eq(members.id, id), mayStillChange(db, change))!
  const before = [...tasks, ...recordMembers(scope, 'member.role-changed', may, role)]
  const results = await runBatch(db, [
    ...before,
    db.update(members).set({ role }).where(may).returning(),
    ...endInvitations(scope, { organizationId, inviterId: userId, outOfReach }, stillHolds(db, { id, role })),
  ])
  return (results[before.length] as Member[])[0] ?? null
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

/** Adds a member while the limit allows. @returns false when it does not. @throws when they are one already (UNIQUE) */
export async function insertMember(scope: Scope, member: Member, limit: number): Promise<boolean> {
  const { db } = scope
  const free = sql`${countMembers(db, member.organizationId)} < ${limit}`
  const [rows] = await runBatch(db, [
    insertWhere(db, members, member, free).returning({ id: members.id }),
    ...recordMembers(scope, 'member.added', eq(members.id, member.id)),
  ])
  return (rows as unknown[]).length > 0
}
