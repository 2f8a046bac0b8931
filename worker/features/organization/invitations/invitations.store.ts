import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../../identity/scope.ts'
import { type User, users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, named, rowWhere, runBatch, type Statement } from '../../../platform/statements.ts'
import { activateInSession } from '../membership/active-organization.store.ts'
import { recordInvitations, recordMembers } from '../membership/events.store.ts'
import { type Invitation, type InvitationStatus, invitations } from '../membership/invitations.table.ts'
import { type Member, members } from '../membership/members.table.ts'
import {
  countMembers,
  isMember,
  type Membership,
  memberExists,
  type OrganizationKey,
  organizationIdFor,
  stillHolds,
} from '../membership/membership.store.ts'
import { type Organization, organizations } from '../membership/organizations.table.ts'
import { invitationExists, other, tell } from './conditions.store.ts'

/** Queries about invitations. Every function is one round trip. */

/** The most invitations in one answer: pending ones first, then the newest. */
const listed = 500

/** An invitation with all that its recipient may see and that decides about it. */
export interface InvitationWithContext {
  invitation: Invitation
  organization: Organization
  inviter: Pick<User, 'name' | 'email' | 'emailVerified' | 'emailIsPlaceholder' | 'language'>
  /** The inviter as a member, which they may be no longer. */
  inviterMember: Pick<Member, 'id' | 'role'> | null
}

const inviterAs = named(members, 'inviter_member')
const { name, email, emailVerified, emailIsPlaceholder, language } = named(users, 'inviter')

const withContext = (db: Database, id: string) =>
  db
    .select({
      invitation: named(invitations, 'invitation'),
      organization: named(organizations, 'organization'),
      inviter: { name, email, emailVerified, emailIsPlaceholder, language },
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
  scope: Scope,
  { invitation, member, inviter, limit, sessionId, now }: Accepting,
  tasks: readonly Statement[],
): Promise<Acceptance> {
  const { db } = scope
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
  // The team as the invitation has it now: one that has been removed since does not count.
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
    ...recordInvitations(scope, 'invitation.accepted', and(eq(invitations.id, invitation.id), joined)!),
    ...recordMembers(scope, 'member.added', eq(members.id, member.id)),
  ])
  const [[written], [accepted], [found]] = results as [Member[], Invitation[], Record<keyof typeof state, number>[]]
  if (written && accepted) return { kind: 'accepted', invitation: accepted, member: written }
  if (!found?.isPending) return { kind: 'gone' }
  if (found.isMember) return { kind: 'already-member' }
  return { kind: found.inviterMay ? 'full' : 'inviter-gone' }
}

/** Moves a pending, unexpired invitation on. @returns null when it is not one any more */
export const settle = (scope: Scope, id: string, status: Exclude<InvitationStatus, 'pending' | 'accepted'>) =>
  end(scope, status, and(eq(invitations.id, id), gt(invitations.expiresAt, scope.now())))

/** @param which of the pending ones */
async function end(
  scope: Scope,
  status: Exclude<InvitationStatus, 'pending' | 'accepted'>,
  which: Condition | undefined,
): Promise<Invitation | null> {
  const those = and(eq(invitations.status, 'pending'), which)!
  const results = await runBatch(scope.db, [
    ...recordInvitations(scope, `invitation.${status}`, those, status),
    scope.db.update(invitations).set({ status }).where(those).returning(),
  ])
  return (results.at(-1) as Invitation[])[0] ?? null
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
export const cancel = (scope: Scope, id: string, by: Member): Promise<Invitation | null> => {
  const ofTheirs = and(eq(invitations.id, id), eq(invitations.organizationId, by.organizationId))
  return end(scope, 'canceled', and(ofTheirs, stillHolds(scope.db, by)))
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
