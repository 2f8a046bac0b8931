import type { Caller, Scope } from '../../identity/scope.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { activateInSession } from './active-organization.store.ts'
import { showActiveOrganization } from './active-organization.ts'
import { memberMay, outsider, requireMembership } from './membership.ts'
import { limitOf, organizationOptions } from './organization.config.ts'
import { changingErrors, organizationErrors as errors } from './organization.errors.ts'
import * as store from './organization.store.ts'
import type { Organization } from './organization.table.ts'

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
    const updated = await store.updateOrganization(scope.db, membership, written)
    if (!updated) throw errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION()
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
  if (!allowed || !(await store.deleteOrganization(scope.db, membership))) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION()
  }
  if (caller.session.activeOrganizationId === organizationId) showActiveOrganization(scope, caller, null)
  return membership.organization
}

/** The most members that are read where the configured limit is a function, which has to see the organization first. */
const ceiling = 1000

/** How a call names an organization: by slug, by id, or not at all. */
export interface OrganizationChoice {
  organizationId?: string | null | undefined
  organizationSlug?: string | undefined
}

/** null: the call names none, and none is active. @throws USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION */
export async function readFullOrganization(
  scope: Scope,
  caller: Caller,
  { organizationId, organizationSlug }: OrganizationChoice,
  activateIn?: string,
): Promise<store.FullOrganization | null> {
  const id = organizationId || caller.session.activeOrganizationId
  if (!organizationSlug && !id) return null
  const { membershipLimit: limit } = organizationOptions.of(scope)
  const memberLimit = typeof limit === 'number' ? limit : ceiling
  const key = organizationSlug ? { slug: organizationSlug } : { id: id! }
  const full = await store.readFullOrganization(scope.db, caller.user.id, key, { memberLimit, activateIn })
  if (!full) throw outsider(scope, caller, organizationSlug ? '' : id!, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
  if (typeof limit === 'number') return full
  const { organization, members } = full
  return { ...full, members: members.slice(0, await limitOf(limit, { user: caller.user, organization })) }
}

/**
 * Makes an organization the session's active one; `organizationId: null` makes none.
 * @returns the organization in full; null when none is active now
 * @throws USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, and the session stays as it is
 */
export async function setActiveOrganization(
  scope: Scope,
  caller: Caller,
  choice: OrganizationChoice,
): Promise<store.FullOrganization | null> {
  if (choice.organizationId === null && !choice.organizationSlug) {
    if (caller.session.activeOrganizationId) {
      await activateInSession(scope.db, caller.session.id, null)
      showActiveOrganization(scope, caller, null)
    }
    return null
  }
  const full = await readFullOrganization(scope, caller, choice, caller.session.id)
  if (full) showActiveOrganization(scope, caller, full.organization.id)
  return full
}
