import { and, asc, count, desc, eq, exists, gt, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, insertWhere, named, rowWhere, runBatch, type Statement } from '../../../platform/statements.ts'
import { activateInSession } from '../membership/active-organization.store.ts'
import { type Invitation, type InvitationStatus, invitations } from '../membership/invitations.table.ts'
import { type Member, members } from '../membership/members.table.ts'
import {
  countMembers,
  isMember,
  isMemberByEmail,
  type Membership,
  memberExists,
  membershipQuery,
  type OrganizationKey,
  organizationIdFor,
  stillHolds,
} from '../membership/membership.store.ts'
import { type Organization, organizations } from '../membership/organizations.table.ts'
import { teams } from '../membership/teams.table.ts'

/** Queries about invitations. Every function is one round trip. */

/** The most invitations in one answer: pending ones first, then the newest. */
const listed = 500

/** The inviter's membership, and whether a team is one of the same organization. */
export async function findInviter(db: Database, userId: string, organizationId: string, teamId: string | null) {
  const key = { id: organizationId }
  const [[membership], [team]] = await db.batch([
    membershipQuery(db, userId, key),
    db
      .select({ id: teams.id })
      .from(teams)
      .where(and(eq(teams.organizationId, organizationIdFor(db, userId, key)), eq(teams.id, teamId ?? ''))),
  ])
  return { membership: membership ?? null, hasTeam: team !== undefined }
}

const other = alias(invitations, 'other')

const invitationExists = (db: Database, condition: Condition | undefined): Condition =>
  exists(db.select({ one: sql`1` }).from(other).where(condition))

/** Holds once an invitation has been written. */
export const isWritten = (db: Database, id: string): Condition => invitationExists(db, eq(other.id, id))

/** What the conditions are at this place of a batch: each comes out as 1 or 0. */
const tell = <K extends string>(db: Database, conditions: Record<K, Condition>) =>
  db
    .select(
      Object.fromEntries(
        Object.entries<Condition>(conditions).map(([key, condition]) => [key, sql<number>`(${condition})`.as(key)]),
      ) as Record<K, SQL.Aliased<number>>,
    )
    .from(sql`(select 1)`)

/** What stood in the way of a new invitation, read in the same batch. */
interface InvitationObstacles {
  isMember: boolean
  isInvited: boolean
}

/**
 * Writes an invitation while the limit allows, if the person is neither a member nor invited. One batch.
 * @param again a pending invitation to the same person is no obstacle
 * @param replace earlier pending invitations to the same person are canceled, and do not count
 * @param tasks written only with it, because their own condition is `isWritten`
 * @returns what was in the way; null when the invitation has been written
 */
export async function insertInvitation(
  db: Database,
  invitation: Invitation,
  { by, limit, again, replace }: { by: Member; limit: number; again: boolean; replace: boolean },
  tasks: readonly Statement[],
): Promise<InvitationObstacles | null> {
  const { id, organizationId, email, createdAt: now } = invitation
  const pending = and(eq(other.organizationId, organizationId), eq(other.status, 'pending'), gt(other.expiresAt, now))
  const taken = db
    .select({ n: count() })
    .from(other)
    .where(and(pending, replace ? ne(other.email, email) : undefined))
  const obstacles = {
    isMember: isMemberByEmail(db, organizationId, email),
    isInvited: invitationExists(db, and(pending, eq(other.email, email), ne(other.id, id))),
  }
  const condition = and(
    sql`${taken} < ${limit}`,
    sql`not ${obstacles.isMember}`,
    again ? undefined : sql`not ${obstacles.isInvited}`,
    stillHolds(db, by),
  )!
  const insertion = insertWhere(db, invitations, invitation, condition).returning({ id: invitations.id })
  const replacement = db
    .update(invitations)
    .set({ status: 'canceled' })
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        eq(invitations.email, email),
        eq(invitations.status, 'pending'),
        ne(invitations.id, id),
        isWritten(db, id),
      ),
    )
  const results = await runBatch(db, [insertion, tell(db, obstacles), ...(replace ? [replacement] : []), ...tasks])
  const [rows, [found]] = results as [{ id: string }[], Record<keyof InvitationObstacles, number>[]]
  if (rows.length > 0) return null
  return { isMember: Boolean(found?.isMember), isInvited: Boolean(found?.isInvited) }
}

/** An invitation with all that its recipient may see and that decides about it. */
export interface InvitationWithContext {
  invitation: Invitation
  organization: Organization
  inviter: { name: string; email: string; emailVerified: boolean }
  /** The inviter as a member, which they may be no longer. */
  inviterMember: Pick<Member, 'id' | 'role'> | null
}

const inviterAs = named(members, 'inviter_member')
const { name, email, emailVerified } = named(users, 'inviter')

const withContext = (db: Database, id: string) =>
  db
    .select({
      invitation: named(invitations, 'invitation'),
      organization: named(organizations, 'organization'),
      inviter: { name, email, emailVerified },
      memberId: inviterAs.id,
      memberRole: inviterAs.role,
    })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .innerJoin(users, eq(users.id, invitations.inviterId))
    .leftJoin(
      members,
      and(eq(members.organizationId, invitations.organizationId), eq(members.userId, invitations.inviterId)),
    )
    .where(eq(invitations.id, id))

/** For a batch, with what makes its rows an invitation. */
export const invitationQuery = {
  statement: withContext,
  read([found]: Awaited<ReturnType<typeof withContext>>): InvitationWithContext | null {
    if (!found) return null
    const { memberId, memberRole, ...rest } = found
    return { ...rest, inviterMember: memberId === null ? null : { id: memberId, role: memberRole } }
  },
}

export const findInvitation = async (db: Database, id: string): Promise<InvitationWithContext | null> =>
  invitationQuery.read(await withContext(db, id))

/** How an acceptance ended; only the first wrote anything. */
export type Acceptance =
  | { kind: 'accepted'; invitation: Invitation; member: Member }
  | { kind: 'gone' | 'inviter-gone' | 'already-member' | 'full' }

/** An acceptance as it was decided about. */
export interface Accepting {
  invitation: Invitation
  member: Member
  /** The inviter, with the roles by which they may grant what they have offered. */
  inviter: Pick<Member, 'id' | 'role'>
  limit: number
  sessionId: string
  now: Date
}

/**
 * Makes the recipient a member, marks the invitation and makes the organization active in the session. One batch, in
 * which the first statement decides: of any number of calls one wins, none comes in beyond the limit, and none when
 * the inviter has lost the roles by which they invited.
 * @param tasks written only with it, because their own condition is `memberExists`
 */
export async function accept(
  db: Database,
  { invitation, member, inviter, limit, sessionId, now }: Accepting,
  tasks: readonly Statement[],
): Promise<Acceptance> {
  const { organizationId, userId } = member
  const state = {
    isPending: invitationExists(
      db,
      and(eq(other.id, invitation.id), eq(other.status, 'pending'), gt(other.expiresAt, now)),
    ),
    isMember: isMember(db, organizationId, userId),
    inviterMay: stillHolds(db, inviter),
  }
  const joined = memberExists(db, member.id)
  // The team as the invitation has it now: one that has been removed since is no team.
  const teamId = sql`${db.select({ teamId: other.teamId }).from(other).where(eq(other.id, invitation.id))}`
  const condition = and(
    state.isPending,
    sql`not ${state.isMember}`,
    state.inviterMay,
    sql`${countMembers(db, organizationId)} < ${limit}`,
  )!
  const results = await runBatch(db, [
    db
      .insert(members)
      .select(rowWhere(members, { ...member, teamId }, condition))
      .returning(),
    db
      .update(invitations)
      .set({ status: 'accepted' })
      .where(and(eq(invitations.id, invitation.id), eq(invitations.status, 'pending'), joined))
      .returning(),
    tell(db, state),
    activateInSession(db, sessionId, organizationId, joined),
    ...tasks,
  ])
  const [[written], [accepted], [found]] = results as [Member[], Invitation[], Record<keyof typeof state, number>[]]
  if (written && accepted) return { kind: 'accepted', invitation: accepted, member: written }
  if (!found?.isPending) return { kind: 'gone' }
  if (found.isMember) return { kind: 'already-member' }
  return { kind: found.inviterMay ? 'full' : 'inviter-gone' }
}

/** Moves a pending, unexpired invitation on. @returns null when it is not one any more */
export async function settle(
  db: Database,
  id: string,
  status: Exclude<InvitationStatus, 'pending' | 'accepted'>,
  now: Date,
): Promise<Invitation | null> {
  const [settled] = await db
    .update(invitations)
    .set({ status })
    .where(and(eq(invitations.id, id), eq(invitations.status, 'pending'), gt(invitations.expiresAt, now)))
    .returning()
  return settled ?? null
}

/** An invitation to an organization that the user is a member of, with their membership. */
export async function findInvitationFor(
  db: Database,
  userId: string,
  id: string,
): Promise<(Membership & { invitation: Invitation }) | null> {
  const [found] = await db
    .select({ invitation: invitations, organization: organizations, member: members })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .innerJoin(members, and(eq(members.organizationId, organizations.id), eq(members.userId, userId)))
    .where(eq(invitations.id, id))
  return found ?? null
}

/** Takes a pending invitation back, expired or not. @returns null when it is not pending any more */
export async function cancel(db: Database, id: string, by: Member): Promise<Invitation | null> {
  const [canceled] = await db
    .update(invitations)
    .set({ status: 'canceled' })
    .where(
      and(
        eq(invitations.id, id),
        eq(invitations.organizationId, by.organizationId),
        eq(invitations.status, 'pending'),
        stillHolds(db, by),
      ),
    )
    .returning()
  return canceled ?? null
}

/** For a batch: an organization's invitations, if the user is a member of it. */
export const invitationsQuery = (db: Database, userId: string | SQL, key: OrganizationKey) =>
  db
    .select()
    .from(invitations)
    .where(eq(invitations.organizationId, organizationIdFor(db, userId, key)))
    .orderBy(desc(eq(invitations.status, 'pending')), desc(invitations.createdAt), asc(invitations.id))
    .limit(listed)

/** As they are shown: in the order in which they were made. */
export const inOrder = (rows: Invitation[]): Invitation[] =>
  rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
