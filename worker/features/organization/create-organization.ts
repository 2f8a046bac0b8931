import type { Caller, Scope } from '../../identity/scope.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { newId } from '../../kit/random.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { resendActiveOrganization, showActiveOrganization } from './membership/active-organization.ts'
import type { Member } from './membership/members.table.ts'
import { limitOf, organizationOptions } from './membership/membership.config.ts'
import { organizationErrors as errors } from './membership/membership.errors.ts'
import type { Organization } from './membership/organizations.table.ts'
import { insertOrganization } from './organization.store.ts'

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

/**
 * Creates an organization in the caller's name and makes it their active one.
 * @throws see the contract
 */
export async function createOrganization(
  scope: Scope,
  caller: Caller,
  input: NewOrganization,
  keepCurrentActive: boolean,
): Promise<CreatedOrganization> {
  const sessionId = keepCurrentActive ? null : caller.session.id
  const created = await create(scope, caller.user, input, sessionId).catch((thrown) => {
    // The slug may be taken by an earlier call whose answer was lost: the cookies follow what is stored.
    resendActiveOrganization(scope, caller)
    throw thrown
  })
  if (!keepCurrentActive) showActiveOrganization(scope, caller, created.organization.id)
  return created
}

/** Creates an organization for somebody, for servers only. @throws USER_NOT_FOUND, and as above */
export async function createOrganizationFor(
  scope: Scope,
  userId: string,
  input: NewOrganization,
): Promise<CreatedOrganization> {
  const user = await findUserById(scope.db, userId)
  if (!user) throw coreErrors.USER_NOT_FOUND()
  return create(scope, user, input, null)
}

async function create(scope: Scope, user: User, input: NewOrganization, sessionId: string | null) {
  const { allowUserToCreateOrganization: allow, organizationLimit, creatorRole, teams } = organizationOptions.of(scope)
  if (!(typeof allow === 'function' ? await allow(user) : allow)) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION()
  }
  const limit = organizationLimit === null ? null : await limitOf(organizationLimit, user)
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
  }
  try {
    const written = await insertOrganization(scope, { organization, team, creator, limit, sessionId })
    if (!written) throw errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS()
  } catch (thrown) {
    if (isUniqueViolation(thrown)) throw errors.ORGANIZATION_ALREADY_EXISTS()
    throw thrown
  }
  for (const react of scope.lifecycle.organizationCreated) await react(scope, organization)
  for (const react of scope.lifecycle.memberAdded) await react(scope, { organization, member: creator })
  return { organization, creator }
}
