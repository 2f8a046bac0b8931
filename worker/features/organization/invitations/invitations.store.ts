import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { rowWhere } from '../../../platform/statements.ts'
import { activateInSession } from '../active-organization.store.ts'
import { type Member, members } from '../members/members.table.ts'
import { countMembers, type Membership, membershipQuery, organizationIdFor, stillHolds } from '../membership.store.ts'
import { type Organization, organizations } from '../organization.table.ts'
import { teams } from '../teams/teams.table.ts'
import { type Invitation, type InvitationStatus, invitations } from './invitations.table.ts'

/** Queries about invitations. Every function is one round trip. */

/** The most invitations in one answer: pending ones first, then the newest. */
export const listedInvitations = 500

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

/** What stood in the way of a new invitation, read in the same batch. */
interface InvitationObstacles {
  isMember: boolean
  isInvited: boolean
}

const pendingIn = ({ organizationId }: Pick<Invitation, 'organizationId'>, now: Date): SQL =>
  sql`other.organization_id = ${organizationId} and other.status = 'pending' and other.expires_at > ${now.getTime()}`

/**
 * Writes an invitation while there is room for it, if the person is neither a member nor invited. One batch.
 * @param again a pending invitation to the same person is no obstacle
 * @param replace earlier pending invitations to the same person are canceled, and do not count
 * @returns what was in the way; null when the invitation has been written
 */
export async function insertInvitation(
  db: Database,
  invitation: Invitation,
  { by, limit, again, replace }: { by: Member; limit: number; again: boolean; replace: boolean },
): Promise<InvitationObstacles | null> {
  const { id, organizationId, email, createdAt: now } = invitation
  const pending = pendingIn(invitation, now)
  const isMember = sql<number>`exists (select 1 from ${members} as present join ${users} as person
    on person.id = present.user_id where present.organization_id = ${organizationId} and person.email = ${email})`
  const isInvited = sql<number>`exists (select 1 from ${invitations} as other where ${pending}
    and other.email = ${email} and other.id <> ${id})`
  const counted = sql`(select count(*) from ${invitations} as other where ${pending}
    ${replace ? sql`and other.email <> ${email}` : sql``})`
  const [rows, , [obstacles]] = await db.batch([
    db
      .insert(invitations)
      .select(
        rowWhere(
          invitations,
          invitation,
          sql`${counted} < ${limit} and not ${isMember} and ${again ? sql`true` : sql`not ${isInvited}`}
            and ${stillHolds(db, by)}`,
        ),
      )
      .returning({ id: invitations.id }),
    db
      .update(invitations)
      .set({ status: 'canceled' })
      .where(
        and(
          replace ? undefined : sql`false`,
          eq(invitations.organizationId, organizationId),
          eq(invitations.email, email),
          eq(invitations.status, 'pending'),
          sql`${invitations.id} <> ${id}`,
          sql`exists (select 1 from ${invitations} as written where written.id = ${id})`,
        ),
      ),
    db.select({ isMember: isMember.as('is_member'), isInvited: isInvited.as('is_invited') }).from(sql`(select 1)`),
  ])
  if (rows.length > 0) return null
  return { isMember: Boolean(obstacles?.isMember), isInvited: Boolean(obstacles?.isInvited) }
}

/** An invitation with all that its recipient may see and that decides about it. */
export interface InvitationWithContext {
  invitation: Invitation
  organization: Organization
  inviter: { name: string; email: string }
  inviterIsMember: boolean
}

export async function findInvitation(db: Database, id: string): Promise<InvitationWithContext | null> {
  const [found] = await db
    .select({
      invitation: invitations,
      organization: organizations,
      inviter: { name: users.name, email: users.email },
      inviterMember: members.id,
    })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .innerJoin(users, eq(users.id, invitations.inviterId))
    .leftJoin(
      members,
      and(eq(members.organizationId, invitations.organizationId), eq(members.userId, invitations.inviterId)),
    )
    .where(eq(invitations.id, id))
  if (!found) return null
  const { inviterMember, ...rest } = found
  return { ...rest, inviterIsMember: inviterMember !== null }
}

/** How an acceptance ended; only the first wrote anything. */
export type Acceptance =
  | { kind: 'accepted'; invitation: Invitation; member: Member }
  | { kind: 'gone' | 'already-member' | 'full' }

/**
 * Makes the recipient a member, marks the invitation and makes the organization active in the session. One batch, in
 * which the first statement decides: of any number of calls one wins, and none finds room where there is none.
 */
export async function accept(
  db: Database,
  invitation: Invitation,
  member: Member,
  { limit, sessionId, now }: { limit: number; sessionId: string; now: Date },
): Promise<Acceptance> {
  const { organizationId, userId } = member
  const pending = sql<number>`exists (select 1 from ${invitations} as claimed where claimed.id = ${invitation.id}
    and claimed.status = 'pending' and claimed.expires_at > ${now.getTime()})`
  const joined = sql`exists (select 1 from ${members} as joined where joined.id = ${member.id})`
  const isMember = sql<number>`exists (select 1 from ${members} as present
    where present.organization_id = ${organizationId} and present.user_id = ${userId})`
  // The team as the invitation has it now: one that has been removed since is no team.
  const teamId = sql`(select claimed.team_id from ${invitations} as claimed where claimed.id = ${invitation.id})`
  const condition = sql`${pending} and not ${isMember} and ${countMembers(organizationId)} < ${limit}`
  const [memberRows, invitationRows, , [state]] = await db.batch([
    db
      .insert(members)
      .select(rowWhere(members, { ...member, teamId }, condition))
      .returning(),
    db
      .update(invitations)
      .set({ status: 'accepted' })
      .where(and(eq(invitations.id, invitation.id), eq(invitations.status, 'pending'), joined))
      .returning(),
    activateInSession(db, sessionId, organizationId, joined),
    db.select({ isMember: isMember.as('is_member'), pending: pending.as('is_pending') }).from(sql`(select 1)`),
  ])
  if (memberRows[0] && invitationRows[0]) {
    return { kind: 'accepted', invitation: invitationRows[0], member: memberRows[0] }
  }
  if (!state?.pending) return { kind: 'gone' }
  return { kind: state.isMember ? 'already-member' : 'full' }
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

/** @returns null when the user is no member */
export async function listInvitations(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<Invitation[] | null> {
  const key = { id: organizationId }
  const [memberships, rows] = await db.batch([
    membershipQuery(db, userId, key),
    db
      .select()
      .from(invitations)
      .where(eq(invitations.organizationId, organizationIdFor(db, userId, key)))
      .orderBy(desc(eq(invitations.status, 'pending')), desc(invitations.createdAt), asc(invitations.id))
      .limit(listedInvitations),
  ])
  if (memberships.length === 0) return null
  return rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}
