import type { User } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { isGuest } from '../../identity/users/guests.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { newId } from '../../kit/random.ts'
import { resendActiveOrganization, showActiveOrganization } from './model/active-organization.ts'
import type { Member } from './model/members.table.ts'
import { originFields } from './model/membership.ts'
import { organizationOptions, resolveLimit } from './model/organization.config.ts'
import type { Organization } from './model/organizations.table.ts'
import { organizationErrors as errors } from './organization.errors.ts'
import { addOrganization, mayJoinMore } from './organization.store.ts'

export interface NewOrganization {
  name: string
  slug: string
  logo?: string | null | undefined
  metadata?: Record<string, unknown> | null | undefined
}

export interface CreatedOrganization {
  organization: Organization
  creator: Member
}

/** Creates an organization for the caller and makes it the active one. */
export async function createOrganization(
  scope: Scope,
  caller: Caller,
  input: NewOrganization,
  keepCurrentActive: boolean,
): Promise<CreatedOrganization> {
  const sessionId = keepCurrentActive ? null : caller.session.id
  const created = await create(scope, caller.user, input, sessionId).catch((thrown) => {
    // An earlier call may have taken the slug, and its response was lost: the cookies are sent again.
    resendActiveOrganization(scope, caller)
    throw thrown
  })
  if (!keepCurrentActive) showActiveOrganization(scope, caller, created.organization.id)
  return created
}

/** For servers only. @throws USER_NOT_FOUND; see the contract */
export async function createOrganizationFor(
  scope: Scope,
  userId: string,
  input: NewOrganization,
): Promise<CreatedOrganization> {
  const user = await findUserById(scope.db, userId)
  if (!user) throw coreErrors.USER_NOT_FOUND()
  return create(scope, user, input, null)
}

/** A user may create an organization below this number of memberships; null: any number. */
async function organizationLimitOf(scope: Scope, user: User): Promise<number | null> {
  const { organizationLimit, guestOrganizationLimit } = organizationOptions.of(scope)
  if (isGuest(user)) return guestOrganizationLimit
  return organizationLimit === null ? null : resolveLimit(organizationLimit, user)
}

async function create(scope: Scope, user: User, input: NewOrganization, sessionId: string | null) {
  const { allowUserToCreateOrganization: allow, creatorRole, teams } = organizationOptions.of(scope)
  const limit = await organizationLimitOf(scope, user)
  if (limit === 0 || !(typeof allow === 'function' ? await allow(user) : allow)) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION()
  }
  const { name, slug, logo = null, metadata = null } = input
  const createdAt = scope.now()
  const organization = { id: newId(), name, slug, logo, metadata, createdAt }
  const organizationId = organization.id
  const team =
    teams.enabled && teams.defaultTeam.enabled
      ? { id: newId(), name, organizationId, createdAt, updatedAt: null }
      : null
  const creator = {
    id: newId(),
    organizationId,
    userId: user.id,
    role: creatorRole,
    teamId: team?.id ?? null,
    createdAt,
    ...originFields('creation', null),
  }
  const work = unitOfWork(scope)
  work.require(mayJoinMore(user.id, limit), errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS)
  work.unique('organizations.slug', errors.ORGANIZATION_ALREADY_EXISTS)
  work.audit({
    subjectType: 'organization',
    subjectId: organizationId,
    organizationId,
    after: { name, slug, owner: user.id },
  })
  addOrganization(scope, work, { organization, team, creator, sessionId })
  await work.commit()
  return { organization, creator }
}
