import { and, asc, desc, eq, gt, lte, not, type SQL, sql } from 'drizzle-orm'
import { type User, users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Handle, Work } from '../../../identity/work.ts'
import { firstPage, type Page } from '../../../kit/page.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, deleteSome, named, rowExists } from '../../../platform/statements.ts'
import { activate } from '../model/active-organization.store.ts'
import { announceInvitations, announceMembers } from '../model/events.store.ts'
import { type Invitation, invitations } from '../model/invitations.table.ts'
import { type Member, members } from '../model/members.table.ts'
import {
  isMember,
  type Membership,
  type OrganizationKey,
  organizationIdFor,
  rolesUnchanged,
} from '../model/membership.store.ts'
import { type Organization, organizations } from '../model/organizations.table.ts'
import { cancelInvitationsOfMember } from '../model/pending-invitations.store.ts'

/** An invitation with everything that its recipient may see and that an acceptance requires. */
export interface InvitationWithContext {
  invitation: Invitation
  organization: Organization
  inviter: Pick<User, 'name' | 'email' | 'emailVerified' | 'emailIsPlaceholder' | 'language'>
  /** The inviter's membership; null after they have left. */
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

/** A statement and the function that reads its rows. */
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

const isOpen = (now: Date) => and(eq(invitations.status, 'pending'), gt(invitations.expiresAt, now))

/** Conditions of an acceptance. */
export const acceptanceConditions = ({ id, organizationId }: Invitation, userId: string, now: Date) => ({
  isPending: rowExists(invitations, and(eq(invitations.id, id), isOpen(now))),
  isNoMember: not(isMember(organizationId, userId)),
})

/** Makes the recipient a member, accepts the invitation and activates the organization. @returns the rows afterwards */
export function addAcceptance(
  scope: Scope,
  work: Work,
  {
    invitation: { id },
    organization,
    member,
    sessionId,
  }: { invitation: Invitation; organization: Organization; member: Member; sessionId: string },
): { invitation: Handle<Invitation>; member: Handle<Member> } {
  const { db } = scope
  const which = eq(invitations.id, id)
  // The current team of the invitation: the one that was read may have been deleted.
  const teamId = sql`${db.select({ teamId: invitations.teamId }).from(invitations).where(which)}`
  const inserted = work.run(
    db
      .insert(members)
      .values({ ...member, teamId })
      .returning(),
  )
  const updated = work.run(db.update(invitations).set({ status: 'accepted' }).where(which).returning())
  activate(db, work, { sessionId, organizationId: organization.id })
  const joined = () => inserted.rows.map((row) => ({ organization, member: row }))
  announceInvitations(scope, work, 'invitation.accepted', which, {
    facts: () => joined().map((membership) => ({ ...membership, invitation: updated.row! })),
  })
  announceMembers(scope, work, 'member.added', eq(members.id, member.id), joined)
  cancelInvitationsOfMember(scope, work, member.id)
  return { invitation: updated, member: inserted }
}

/** Rejects a pending, unexpired invitation. @returns no row for any other */
export const addRejection = (scope: Scope, work: Work, id: string): Handle<Invitation> =>
  end(scope, work, 'rejected', and(eq(invitations.id, id), gt(invitations.expiresAt, scope.now())))

/**
 * Cancels a pending invitation, expired or not. @param by the member who cancels it, or the organization, for a server
 * @returns no row for any other
 */
export const addCancellation = (
  scope: Scope,
  work: Work,
  id: string,
  by: Member | Pick<Member, 'organizationId'>,
): Handle<Invitation> => {
  const ofOrganization = and(eq(invitations.id, id), eq(invitations.organizationId, by.organizationId))
  return end(scope, work, 'canceled', and(ofOrganization, 'role' in by ? rolesUnchanged(by) : undefined))
}

/** @param which a condition on the pending invitations */
function end(
  scope: Scope,
  work: Work,
  status: 'rejected' | 'canceled',
  which: Condition | undefined,
): Handle<Invitation> {
  const pending = and(eq(invitations.status, 'pending'), which)!
  announceInvitations(scope, work, `invitation.${status}`, pending, { status })
  return work.run(scope.db.update(invitations).set({ status }).where(pending).returning())
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

/** Maximum number of deletions per run. */
const batchSize = 500

/** For the cron trigger: deletes invitations that expired before a time, in any state. */
export const deleteOldInvitations = (db: Database, before: Date) =>
  deleteSome(db, invitations, invitations.id, lte(invitations.expiresAt, before), batchSize)

/** The invitations of an organization, if the user is a member: pending ones first, then the newest. */
export const invitationsQuery = (
  db: Database,
  userId: string | SQL,
  key: OrganizationKey,
  { limit, offset }: Page = firstPage,
) =>
  db
    .select()
    .from(invitations)
    .where(eq(invitations.organizationId, organizationIdFor(db, userId, key)))
    .orderBy(desc(eq(invitations.status, 'pending')), desc(invitations.createdAt), asc(invitations.id))
    .limit(limit)
    .offset(offset)

/** The invitations of any organization in the same order, for a server. */
export const invitationsOf = (db: Database, organizationId: string, { limit, offset }: Page) =>
  db
    .select()
    .from(invitations)
    .where(eq(invitations.organizationId, organizationId))
    .orderBy(desc(eq(invitations.status, 'pending')), desc(invitations.createdAt), asc(invitations.id))
    .limit(limit)
    .offset(offset)

/** In the order of their creation. */
export const inOrder = (rows: Invitation[]): Invitation[] =>
  rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
