import type { AuditEntry } from '../../../identity/model/audit-context.ts'
import type { Scope } from '../../../identity/scope.ts'
import { forgetSessionsOf } from '../../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import type { AuditAction } from '../../../kit/audit-actions.ts'
import { cutPage, readPlace } from '../../../kit/cursor.ts'
import type { Page } from '../../../kit/page.ts'
import { type Rows, read } from '../../../platform/statements.ts'
import { adminErrors } from '../../admin/admin.errors.ts'
import { actorStands } from '../../admin/admin.store.ts'
import type { Actor } from '../../admin/may-administer.ts'
import { invitationsOf } from '../invitations/invitations.store.ts'
import { removedMail, roleChangedMail } from '../members/members.mails.ts'
import { addRemoval, addRoleChange, type MemberWithUser } from '../members/members.store.ts'
import { showActiveOrganization } from '../model/active-organization.ts'
import type { Member } from '../model/members.table.ts'
import { hasAnotherOwner, organizationExists, rolesUnchanged } from '../model/membership.store.ts'
import { isNotified, isOwner, requireMemberRoles, rolesOutOfReach } from '../model/membership.ts'
import { organizationOptions } from '../model/organization.config.ts'
import type { Organization } from '../model/organizations.table.ts'
import {
  type PresentedMemberWithUser,
  type PresentedTeam,
  presentInvitation,
  presentMemberWithUser,
  presentTeam,
} from '../model/present-membership.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { removeOrganization } from '../organization.store.ts'
import { commitChanges, type OrganizationChanges } from '../organization.ts'
import { administrationErrors as errors } from './administration.errors.ts'
import * as store from './administration.store.ts'

/** What administrators of the application, and servers (a null actor), do with the organizations of all users. */

export interface OrganizationsQuery {
  search?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

const defaultLimit = 50

/** The statement for a query of the list. @throws INVALID_CURSOR */
export function organizationsRead({ db }: Scope, { search, limit = defaultLimit, cursor }: OrganizationsQuery) {
  const after = readPlace(cursor, adminErrors.INVALID_CURSOR)
  return search ? store.organizationsThatMatch(db, search, limit + 1) : store.organizationPage(db, { limit, after })
}

/** The published types name no table. */
export interface ListedOrganization {
  id: string
  name: string
  slug: string
  logo: string | null
  createdAt: Date
  memberCount: number
}

export interface OrganizationList {
  organizations: ListedOrganization[]
  nextCursor: string | null
  /** Whether a search matches more than the list has. */
  moreMatch: boolean
}

export interface OrganizationForAdministrator extends ListedOrganization {
  members: PresentedMemberWithUser[]
  /** Null without teams. */
  teams: PresentedTeam[] | null
  /** The pending ones. */
  invitations: {
    email: string
    role: string | null
    teamId: string | null
    inviterName: string
    createdAt: Date
    expiresAt: Date
  }[]
}

/** Builds the answer from the rows of `organizationsRead`. */
export function presentOrganizations(
  rows: readonly ListedOrganization[],
  { search, limit = defaultLimit }: OrganizationsQuery,
): OrganizationList {
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
  return {
    organizations: page,
    nextCursor: search ? null : nextCursor,
    moreMatch: Boolean(search) && nextCursor !== null,
  }
}

export const organizationReads = (scope: Scope, organizationId: string) =>
  store.organizationReads(scope.db, organizationId, organizationOptions.of(scope).creatorRole, scope.now())

/** Builds the answer from the rows of `organizationReads`. @throws ORGANIZATION_NOT_FOUND */
export function presentForAdministrator(
  scope: Scope,
  { found: [organization], members, teams, invitations }: Rows<ReturnType<typeof organizationReads>>,
): OrganizationForAdministrator {
  if (!organization) throw errors.ORGANIZATION_NOT_FOUND()
  return {
    ...organization,
    members: members.map(({ member, user }) => presentMemberWithUser(scope, member, user)),
    teams: organizationOptions.of(scope).teams.enabled ? teams.map(presentTeam) : null,
    invitations,
  }
}

export interface MemberChoice {
  organizationId: string
  memberId: string
}

/** @throws ORGANIZATION_NOT_FOUND, MEMBER_NOT_FOUND */
async function requireMember(scope: Scope, choice: MemberChoice, ownerRole?: string) {
  const { organization, member, owners } = await store.findForChange(scope.db, {
    ...choice,
    ...(ownerRole && { ownerRole }),
  })
  if (!organization) throw errors.ORGANIZATION_NOT_FOUND()
  if (!member) throw shared.MEMBER_NOT_FOUND()
  return { organization, target: member, owners }
}

/** The batch of an administrator's change, which fails when the permissions of the administrator have changed. */
function changeOf(scope: Scope, actor: Actor): Work {
  const work = unitOfWork(scope, errors.THE_ORGANIZATION_HAS_CHANGED_IN_THE_MEANTIME)
  if (actor) work.require(actorStands(scope.db, actor))
  return work
}

/** The audit line about a member, whose history contains it. */
const audit = (work: Work, organization: Organization, entry: AuditEntry): void => {
  const after = { ...entry.after, organization: organization.name }
  work.audit({ ...entry, organizationId: organization.id, after })
}

const ofOrganization = (organizationId: string) => ({
  subjectType: 'organization',
  subjectId: organizationId,
  organizationId,
})

/** Requires the roles that were read, and another owner if the member is one and loses it. */
function requireChange(scope: Scope, work: Work, member: Member, role: string | null): void {
  work.require(rolesUnchanged(member))
  if (!isOwner(scope, member.role) || (role !== null && isOwner(scope, role))) return
  work.require(hasAnotherOwner(member, organizationOptions.of(scope).creatorRole), errors.THE_LAST_OWNER_MUST_REMAIN)
}

/** Adds a change of roles with its audit line and its mail. */
async function addRoles(
  scope: Scope,
  work: Work,
  actor: Actor,
  organization: Organization,
  { target: { member, user }, role, action }: { target: MemberWithUser; role: string; action: AuditAction },
) {
  audit(work, organization, {
    action,
    subjectId: user.id,
    before: { role: member.role },
    after: { role },
  })
  if (isNotified(actor, user)) work.defer('mail', await roleChangedMail(scope, organization, user, role))
  return addRoleChange(scope, work, { organization, member }, { role, outOfReach: rolesOutOfReach(scope, { role }) })
}

/** Changes the roles of a member. */
export async function updateOrganizationMember(
  scope: Scope,
  actor: Actor,
  input: MemberChoice & { role: string | string[] },
): Promise<Member> {
  const role = requireMemberRoles(scope, input.role)
  const { organization, target } = await requireMember(scope, input)
  if (role === target.member.role) return target.member
  const work = changeOf(scope, actor)
  requireChange(scope, work, target.member, role)
  const action = 'update-organization-member'
  const updated = await addRoles(scope, work, actor, organization, { target, role, action })
  await work.commit()
  return updated.row!
}

/** Removes a member from an organization. */
export async function removeOrganizationMember(scope: Scope, actor: Actor, choice: MemberChoice): Promise<void> {
  const { organization, target } = await requireMember(scope, choice)
  const { member, user } = target
  const work = changeOf(scope, actor)
  requireChange(scope, work, member, null)
  audit(work, organization, {
    action: 'remove-organization-member',
    subjectId: user.id,
    before: { role: member.role },
  })
  if (isNotified(actor, user)) work.defer('mail', await removedMail(scope, organization, user))
  addRemoval(scope, work, organization, member)
  await work.commit(() => {
    forgetSessionsOf(scope, user.id)
    if (user.id === actor?.user.id) closeOrganization(scope, actor, organization.id)
  })
}

/** The session of the administrator shows an organization no longer that they have left or deleted. */
function closeOrganization(scope: Scope, actor: Actor, organizationId: string): void {
  if (actor?.session.activeOrganizationId === organizationId) showActiveOrganization(scope, actor, null)
}

/** Makes a member the owner, and gives the former owner another role, in one batch. */
export async function transferOrganization(
  scope: Scope,
  actor: Actor,
  input: MemberChoice & { from?: string | undefined; formerRole: 'admin' | 'member' },
): Promise<Member> {
  const { creatorRole } = organizationOptions.of(scope)
  const { organization, target, owners } = await requireMember(scope, input, creatorRole)
  if (isOwner(scope, target.member.role)) throw errors.MEMBER_IS_ALREADY_AN_OWNER()
  if (input.from === undefined && owners.length > 1) throw errors.FORMER_OWNER_IS_REQUIRED()
  // The owner of an organization may have been deleted: then it has none.
  const former = input.from === undefined ? owners[0] : owners.find(({ member }) => member.id === input.from)
  if (input.from !== undefined && !former) throw shared.MEMBER_NOT_FOUND()
  const action = 'transfer-organization'
  const work = changeOf(scope, actor)
  for (const { member } of former ? [target, former] : [target]) work.require(rolesUnchanged(member))
  const updated = await addRoles(scope, work, actor, organization, { target, role: creatorRole, action })
  if (former) await addRoles(scope, work, actor, organization, { target: former, role: input.formerRole, action })
  await work.commit()
  return updated.row!
}

/** Deletes an organization, also where its owners may not (`organization.disableOrganizationDeletion`). */
export async function deleteAnyOrganization(scope: Scope, actor: Actor, organizationId: string): Promise<void> {
  const { organization } = await store.findForChange(scope.db, { organizationId })
  if (!organization) throw errors.ORGANIZATION_NOT_FOUND()
  const { name, slug } = organization
  const work = changeOf(scope, actor)
  work.require(organizationExists(organizationId))
  work.audit({
    action: 'delete-organization',
    ...ofOrganization(organizationId),
    before: { name, slug },
  })
  removeOrganization(scope, work, organization)
  await work.commit(() => closeOrganization(scope, actor, organizationId))
}

/** Changes an organization for a server. @throws ORGANIZATION_NOT_FOUND, ORGANIZATION_ALREADY_EXISTS */
export async function updateAnyOrganization(
  scope: Scope,
  actor: Actor,
  organizationId: string,
  changes: OrganizationChanges,
): Promise<Organization> {
  const { organization } = await store.findForChange(scope.db, { organizationId })
  if (!organization) throw errors.ORGANIZATION_NOT_FOUND()
  const work = changeOf(scope, actor)
  work.require(organizationExists(organizationId))
  const record = { action: 'update-organization', ...ofOrganization(organizationId) } as const
  return commitChanges(scope, work, organization, changes, record)
}

/** A page of the members of any organization, or of its invitations. @throws ORGANIZATION_NOT_FOUND */
export async function membersOfAny(scope: Scope, organizationId: string, page: Page) {
  const { found, rows } = await read(scope.db, {
    found: store.organizationById(scope.db, organizationId),
    rows: store.membersOf(scope.db, organizationId, page),
  })
  if (found.length === 0) throw errors.ORGANIZATION_NOT_FOUND()
  return rows.map(({ member, user }) => presentMemberWithUser(scope, member, user))
}

export async function invitationsOfAny(scope: Scope, organizationId: string, page: Page) {
  const { found, rows } = await read(scope.db, {
    found: store.organizationById(scope.db, organizationId),
    rows: invitationsOf(scope.db, organizationId, page),
  })
  if (found.length === 0) throw errors.ORGANIZATION_NOT_FOUND()
  return rows.map((invitation) => presentInvitation(scope, invitation))
}
