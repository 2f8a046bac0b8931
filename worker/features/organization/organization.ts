import type { Caller, Scope } from '../../identity/scope.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { activateInSession } from './membership/active-organization.store.ts'
import { showActiveOrganization } from './membership/active-organization.ts'
import { limitOf, organizationOptions } from './membership/membership.config.ts'
import { changingErrors, organizationErrors as errors } from './membership/membership.errors.ts'
import { memberMay, outsider, requireMembership } from './membership/membership.ts'
import type { Organization } from './membership/organizations.table.ts'
import * as store from './organization.store.ts'

/** @throws SLUG_IS_TAKEN. A free slug may be taken the next moment; the statement that creates decides. */
export async function requireFreeSlug(scope: Scope, slug: string): Promise<void> {
  if (!(await store.isSlugFree(scope.db, slug))) throw errors.SLUG_IS_TAKEN()
}

/** @throws see the contract */
export async function updateOrganization(
  scope: Scope,
  caller: Caller,
  given: string | undefined,
  changes: Partial<Pick<Organization, 'name' | 'slug' | 'logo' | 'metadata'>>,
): Promise<Organization> {
  const membership = await requireMembership(scope, caller, given, {
    missing: errors.ORGANIZATION_NOT_FOUND,
    outside: changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
  })
  if (!memberMay(scope, membership.member, { organization: ['update'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION()
  }
  const written = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(written).length === 0) return membership.organization
  try {
    const updated = await store.updateOrganization(scope, membership, written)
    if (!updated) throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION()
    for (const react of scope.lifecycle.organizationUpdated) await react(scope, updated)
    return updated
  } catch (thrown) {
    if (isUniqueViolation(thrown)) throw errors.ORGANIZATION_ALREADY_EXISTS()
    throw thrown
  }
}

/** @throws see the contract */
export async function deleteOrganization(scope: Scope, caller: Caller, organizationId: string): Promise<Organization> {
  const membership = await requireMembership(scope, caller, organizationId, {
    missing: errors.ORGANIZATION_NOT_FOUND,
    outside: changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
  })
  const allowed =
    !organizationOptions.of(scope).disableOrganizationDeletion &&
    memberMay(scope, membership.member, { organization: ['delete'] })
  const gone = allowed ? await store.deleteOrganization(scope, membership) : null
  if (!gone) throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION()
  if (caller.session.activeOrganizationId === organizationId) showActiveOrganization(scope, caller, null)
  const { organization } = membership
  for (const member of gone) {
    for (const react of scope.lifecycle.memberRemoved) await react(scope, { organization, member })
  }
  for (const react of scope.lifecycle.organizationDeleted) await react(scope, organization)
  return organization
}

/** The most members that are read where the configured limit is a function, which has to see the organization first. */
const ceiling = 1000

/** How many members are read; see `withinLimit`. */
export function memberLimit(scope: Scope): number {
  const { membershipLimit: limit } = organizationOptions.of(scope)
  return typeof limit === 'number' ? limit : ceiling
}

/** How a call names an organization: by slug, by id, or not at all. */
export interface OrganizationChoice {
  organizationId?: string | null | undefined
  organizationSlug?: string | undefined
}

/**
 * An organization that was read, with no more members than may be listed.
 * @throws USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION
 */
export async function requireFull(
  scope: Scope,
  caller: Caller,
  { organizationId, organizationSlug }: OrganizationChoice,
  full: store.FullOrganization | null,
): Promise<store.FullOrganization> {
  if (!full) {
    const meant = organizationSlug ? '' : organizationId || caller.session.activeOrganizationId || ''
    throw outsider(scope, caller, meant, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
  }
  const { membershipLimit: limit } = organizationOptions.of(scope)
  if (typeof limit === 'number') return full
  const { organization, members } = full
  return { ...full, members: members.slice(0, await limitOf(limit, { user: caller.user, organization })) }
}

/**
 * Makes an organization the session's active one; `organizationId: null` makes none. Whoever repeats the call gets the
 * cookies of what is stored.
 * @returns the organization in full; null when none is active now
 * @throws USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, and the session stays as it is
 */
export async function setActiveOrganization(
  scope: Scope,
  caller: Caller,
  choice: OrganizationChoice,
): Promise<store.FullOrganization | null> {
  const { id: sessionId, activeOrganizationId } = caller.session
  const { organizationId, organizationSlug } = choice
  const id = organizationId === null ? null : organizationId || activeOrganizationId
  if (!organizationSlug && !id) {
    if (activeOrganizationId !== null) await activateInSession(scope.db, sessionId, null)
    showActiveOrganization(scope, caller, null)
    return null
  }
  const key = organizationSlug ? { slug: organizationSlug } : { id: id! }
  const asked = { userId: caller.user.id, key, sessionId }
  const read = await store.activateAndRead(scope.db, asked, memberLimit(scope))
  const full = await requireFull(scope, caller, choice, read)
  showActiveOrganization(scope, caller, full.organization.id)
  return full
}
