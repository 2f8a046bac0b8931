import type { AuditEntry } from '../../identity/model/audit-context.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import type { Work } from '../../identity/work.ts'
import { deleteOtherLogo } from './logo.store.ts'
import { activate } from './model/active-organization.store.ts'
import { showActiveOrganization } from './model/active-organization.ts'
import { maxMembers } from './model/membership.schemas.ts'
import { type Membership, rolesUnchanged } from './model/membership.store.ts'
import { memberMay, notAMember, requireMembership } from './model/membership.ts'
import { organizationOptions, resolveLimit } from './model/organization.config.ts'
import type { Organization } from './model/organizations.table.ts'
import { changingErrors, organizationErrors as errors } from './organization.errors.ts'
import * as store from './organization.store.ts'

/** @throws SLUG_IS_TAKEN. Another request may take a free slug: the unique index decides. */
export async function requireFreeSlug(scope: Scope, slug: string): Promise<void> {
  if (!(await store.isSlugFree(scope.db, slug))) throw errors.SLUG_IS_TAKEN()
}

/** The caller's membership, if it allows to update the organization. */
export async function requireUpdater(scope: Scope, caller: Caller, given: string | undefined): Promise<Membership> {
  const membership = await requireMembership(scope, caller, given, {
    missing: errors.ORGANIZATION_NOT_FOUND,
    outside: changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
  })
  if (!memberMay(scope, membership.member, { organization: ['update'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION()
  }
  return membership
}

export async function updateOrganization(
  scope: Scope,
  caller: Caller,
  given: string | undefined,
  changes: OrganizationChanges,
): Promise<Organization> {
  const membership = await requireUpdater(scope, caller, given)
  const work = unitOfWork(scope)
  const { member, organization } = membership
  work.require(rolesUnchanged(member), errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION)
  return commitChanges(scope, work, organization, changes)
}

export type OrganizationChanges = Partial<Pick<Organization, 'name' | 'slug' | 'logo' | 'metadata'>>

/**
 * Commits changes of an organization with their audit record. Without a change nothing is written.
 * @param record more of the record, for a caller who is not a member
 * @throws ORGANIZATION_ALREADY_EXISTS
 */
export async function commitChanges(
  scope: Scope,
  work: Work,
  organization: Organization,
  changes: OrganizationChanges,
  record: Partial<AuditEntry> = {},
): Promise<Organization> {
  const written = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(written).length === 0) return organization
  work.unique('organizations.slug', errors.ORGANIZATION_ALREADY_EXISTS)
  // Metadata and logos may be long, so that only their names are recorded.
  const long = { ...('logo' in written && { logo: true }), ...('metadata' in written && { metadata: true }) }
  const before = Object.fromEntries(
    ['name', 'slug'].flatMap((field) => (field in written ? [[field, organization[field as 'name']]] : [])),
  )
  const subject = { subjectType: 'organization', subjectId: organization.id } as const
  work.audit({ ...subject, ...record, before, after: { ...written, ...long } })
  const updated = store.changeOrganization(scope, work, organization.id, written)
  if (changes.logo !== undefined) work.run(deleteOtherLogo(scope.db, organization.id, changes.logo))
  await work.commit()
  return updated.row!
}

export async function deleteOrganization(scope: Scope, caller: Caller, organizationId: string): Promise<Organization> {
  const { member, organization } = await requireMembership(scope, caller, organizationId, {
    missing: errors.ORGANIZATION_NOT_FOUND,
    outside: changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
  })
  const refused = errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION
  const { disableOrganizationDeletion } = organizationOptions.of(scope)
  if (disableOrganizationDeletion || !memberMay(scope, member, { organization: ['delete'] })) throw refused()
  const work = unitOfWork(scope)
  work.require(rolesUnchanged(member), refused)
  const { name, slug } = organization
  work.audit({ subjectType: 'organization', subjectId: organizationId, before: { name, slug } })
  store.removeOrganization(scope, work, organization)
  await work.commit(() => {
    if (caller.session.activeOrganizationId === organizationId) showActiveOrganization(scope, caller, null)
  })
  return organization
}

/** The number of members to read. If the limit is a function, `requireFull` applies it after the read. */
export function memberLimit(scope: Scope): number {
  const { membershipLimit: limit } = organizationOptions.of(scope)
  return typeof limit === 'number' ? Math.min(limit, maxMembers) : maxMembers
}

/** An organization by slug or by id; otherwise the active one. */
export interface OrganizationChoice {
  organizationId?: string | null | undefined
  organizationSlug?: string | undefined
}

/** Limits the members that were read to those that may be listed. @throws USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION */
export async function requireFull(
  scope: Scope,
  caller: Caller,
  { organizationId, organizationSlug }: OrganizationChoice,
  full: store.FullOrganization | null,
): Promise<store.FullOrganization> {
  if (!full) {
    const id = organizationSlug ? '' : organizationId || caller.session.activeOrganizationId || ''
    throw notAMember(scope, caller, id, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
  }
  const { membershipLimit: limit } = organizationOptions.of(scope)
  if (typeof limit === 'number') return full
  const { organization, members } = full
  return { ...full, members: members.slice(0, await resolveLimit(limit, { user: caller.user, organization })) }
}

/** Sets the session's active organization, or none for null. A repeated call sends the cookies again. */
export async function setActiveOrganization(
  scope: Scope,
  caller: Caller,
  choice: OrganizationChoice,
): Promise<store.FullOrganization | null> {
  const { id: sessionId, activeOrganizationId } = caller.session
  const { organizationId, organizationSlug } = choice
  const id = organizationId === null ? null : organizationId || activeOrganizationId
  if (!organizationSlug && !id) {
    if (activeOrganizationId !== null) {
      const work = unitOfWork(scope)
      activate(scope.db, work, { sessionId, organizationId: null, isPurpose: true })
      await work.commit()
    }
    showActiveOrganization(scope, caller, null)
    return null
  }
  const key = organizationSlug ? { slug: organizationSlug } : { id: id! }
  const asked = { userId: caller.user.id, key, sessionId }
  const work = unitOfWork(scope)
  const results = store.addActivation(scope, work, asked, memberLimit(scope))
  await work.commit()
  const full = await requireFull(scope, caller, choice, store.readFull(results()))
  showActiveOrganization(scope, caller, full.organization.id)
  return full
}
