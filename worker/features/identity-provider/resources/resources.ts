import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { newId } from '../../../kit/random.ts'
import type { Condition } from '../../../platform/statements.ts'
import { jwtOptions } from '../../jwt/jwt.config.ts'
import { rolesUnchanged } from '../../organization/model/membership.store.ts'
import { memberMay, requireMembership } from '../../organization/model/membership.ts'
import { organizationErrors } from '../../organization/organization.errors.ts'
import type { TokenFormat } from '../identifiers.ts'
import { identityProviderOptions, ownScopes } from '../identity-provider.config.ts'
import { identityProviderErrors as errors } from '../identity-provider.errors.ts'
import { endTokensAt } from '../model/grants/ended-tokens.ts'
import {
  configuredResources,
  forgetResources,
  lifetimeOf,
  maxRegisteredJwtLifetime,
} from '../model/protocol/known-resources.ts'
import type { StoredResource } from '../model/protocol/resources.table.ts'
import { normalResource } from '../model/protocol/urls.ts'
import { nameOfAddress, organizationUrn, parentDomains, scopesOfOrganization } from './organization-names.ts'
import * as store from './resources.store.ts'

type Properties = Pick<StoredResource, 'name' | 'scopes' | 'accessTokenExpiresIn' | 'introspectedBy' | 'claims'>
type NewResource = Properties & { identifier: string; tokenFormat: TokenFormat }

/** Who manages resources: an administrator those of the deployment, a member those of their organization. */
interface Manager {
  organizationId: string | null
  /** Holds while a member keeps the right. */
  condition: Condition | null
}

export const administrator: Manager = { organizationId: null, condition: null }

/** @throws YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION */
export async function requireResourceManager(scope: Scope, caller: Caller, given: string) {
  const { member, organization } = await requireMembership(scope, caller, given, {
    missing: organizationErrors.NO_ACTIVE_ORGANIZATION,
    outside: organizationErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
  })
  if (!memberMay(scope, member, { organization: ['update'] })) throw refusedMember()
  return { organizationId: organization.id, name: organization.name, condition: rolesUnchanged(member) }
}

const refusedMember = organizationErrors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION

const presentResource = ({ deletedAt: _, ...shown }: StoredResource) => shown

/** A registered resource as the pages show it. */
export function showResource(scope: Scope, row: StoredResource, organization: { id: string; name: string } | null) {
  const { id, name, identifier, scopes, tokenFormat, claims, introspectedBy } = row
  return {
    ...{ id, name, identifier, organization, scopes, tokenFormat, claims, introspectedBy, addsClaims: false },
    ...{ accessTokenExpiresIn: lifetimeOf(scope, row), ownLifetime: row.accessTokenExpiresIn },
  }
}

function workFor(scope: Scope, { condition }: Manager): Work {
  const work = unitOfWork(scope)
  if (condition) work.require(condition, refusedMember)
  return work
}

/** RFC 8141, section 2, without optional components. */
const urn = /^urn:[a-z0-9][a-z0-9-]{0,30}[a-z0-9]:[\w().+,:=@;$!*'&~%/-]+$/i
const ownUrn = /^urn:gatehouse:/i

/**
 * The normal form of an identifier (RFC 8707, section 2): an https URL or a URN. It is not on our own host, so that no token
 * for this server is one for the resource. @throws INVALID_RESOURCE_IDENTIFIER
 */
function readIdentifier(scope: Scope, given: string): string {
  if (!URL.canParse(given) || /[\s#"<>\\]/.test(given)) throw errors.INVALID_RESOURCE_IDENTIFIER()
  const url = new URL(given)
  const isAddress =
    url.protocol === 'https:' && !url.username && !url.password && url.host !== new URL(scope.settings.baseUrl).host
  if (!isAddress && (!urn.test(given) || ownUrn.test(given))) throw errors.INVALID_RESOURCE_IDENTIFIER()
  return normalResource(given)
}

/**
 * The identifier of an organization's resource: an address at one of its verified domains, or for a word a URN that contains the
 * id of the organization. So it is never one of another owner. @throws INVALID_RESOURCE_IDENTIFIER
 */
function readOrganizationIdentifier(scope: Scope, organizationId: string, given: string, work: Work): string {
  const named = organizationUrn(organizationId, given)
  if (named !== null) return named
  const identifier = readIdentifier(scope, given)
  const host = nameOfAddress(identifier)
  if (host === null) throw errors.INVALID_RESOURCE_IDENTIFIER()
  work.require(store.ownsOneDomain(organizationId, parentDomains(host)), errors.RESOURCE_DOMAIN_NOT_VERIFIED)
  return identifier
}

/** A scope belongs to one resource, because a consent is stored by scope. @throws RESOURCE_SCOPE_EXISTS */
function requireFreeScopes(scope: Scope, names: readonly string[]): void {
  const taken = [...ownScopes(scope), ...configuredResources(scope).flatMap(({ scopes }) => Object.keys(scopes))]
  if (names.some((name) => taken.includes(name))) throw errors.RESOURCE_SCOPE_EXISTS()
}

/** The resources of other features, such as tool servers of MCP, are taken too. */
function isConfigured(scope: Scope, identifier: string): boolean {
  const { resource = null } = (scope.options.mcp ?? {}) as { resource?: string | string[] | null }
  const tools = resource === null ? [] : [resource].flat()
  const sessions = [jwtOptions.of(scope).audience ?? []].flat()
  const configured = configuredResources(scope).map((one) => one.identifier)
  return [...configured, ...tools, ...sessions].map(normalResource).includes(identifier)
}

const audited = ({
  identifier,
  name,
  scopes,
  tokenFormat,
  claims,
  accessTokenExpiresIn,
  introspectedBy,
}: Partial<StoredResource>) => ({
  ...{ identifier, name, tokenFormat, claims, accessTokenExpiresIn, introspectedBy },
  scopes: Object.keys(scopes ?? {}).join(' '),
})

/** The stored form of what a manager can change. */
function readProperties({ scopes, ...given }: Properties, { organizationId }: Manager, identifier: string): Properties {
  return {
    ...given,
    scopes: organizationId === null ? scopes : scopesOfOrganization(identifier, scopes),
    introspectedBy: [...new Set(given.introspectedBy)],
    claims: [...new Set(given.claims)],
  }
}

/**
 * Registers a resource server, which clients can name from now on here, and in some seconds elsewhere.
 * @throws INVALID_RESOURCE_IDENTIFIER, INVALID_RESOURCE_LIFETIME, RESOURCE_EXISTS, RESOURCE_SCOPE_EXISTS, RESOURCE_LIMIT_REACHED,
 *   RESOURCE_DOMAIN_NOT_VERIFIED
 */
export async function createResource(
  scope: Scope,
  manager: Manager,
  { identifier: given, tokenFormat, ...rest }: NewResource,
) {
  const { organizationId } = manager
  const work = workFor(scope, manager)
  const identifier =
    organizationId === null
      ? readIdentifier(scope, given)
      : readOrganizationIdentifier(scope, organizationId, given, work)
  if (isConfigured(scope, identifier)) throw errors.RESOURCE_EXISTS()
  if (tokenFormat === 'jwt' && (rest.accessTokenExpiresIn ?? 0) > maxRegisteredJwtLifetime) {
    throw errors.INVALID_RESOURCE_LIFETIME()
  }
  const properties = readProperties(rest, manager, identifier)
  const names = Object.keys(properties.scopes)
  requireFreeScopes(scope, names)
  const now = scope.now()
  const row: StoredResource = {
    id: newId(),
    identifier,
    organizationId,
    tokenFormat,
    ...properties,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  const limit = identityProviderOptions.of(scope).resourcesPerOrganization
  work.require(store.hasFewerResources(organizationId, limit), errors.RESOURCE_LIMIT_REACHED)
  work.run(store.insertResource(scope.db, row)).orFail(errors.RESOURCE_EXISTS)
  work.require(store.scopesAreFree(names, row.id), errors.RESOURCE_SCOPE_EXISTS)
  work.audit({ ...subjectOf(row.id, manager), action: 'create-resource', after: audited(row) })
  await work.commit()
  forgetResources(scope)
  return presentResource(row)
}

const subjectOf = (id: string, { organizationId }: Manager) => ({
  subjectType: 'resource',
  subjectId: id,
  organizationId,
})

/** @throws RESOURCE_NOT_FOUND, RESOURCE_SCOPE_EXISTS, INVALID_RESOURCE_LIFETIME */
export async function updateResource(scope: Scope, manager: Manager, { id, ...rest }: Properties & { id: string }) {
  const { organizationId } = manager
  // The names of an organization's scopes begin with the identifier, which the caller must not choose again.
  const [found] = organizationId === null ? [] : await store.selectResourceOf(scope.db, id, organizationId)
  if (organizationId !== null && !found) throw errors.RESOURCE_NOT_FOUND()
  const properties = readProperties(rest, manager, found?.identifier ?? '')
  const names = Object.keys(properties.scopes)
  requireFreeScopes(scope, names)
  const work = workFor(scope, manager)
  work.require(
    store.mayLive(id, properties.accessTokenExpiresIn, maxRegisteredJwtLifetime),
    errors.INVALID_RESOURCE_LIFETIME,
  )
  work.require(store.scopesAreFree(names, id), errors.RESOURCE_SCOPE_EXISTS)
  // A JWT states its scopes until it expires.
  work.run(endTokensAt(scope, store.losesScope(id, organizationId, names)))
  const updated = work
    .run(store.updateResource(scope.db, id, organizationId, { ...properties, updatedAt: scope.now() }), {
      unlessUnchanged: true,
    })
    .orFail(errors.RESOURCE_NOT_FOUND)
  work.audit({ ...subjectOf(id, manager), action: 'update-resource', after: audited(properties) })
  await work.commit()
  forgetResources(scope)
  return presentResource(updated.row)
}

/**
 * Deletes a resource with its tokens. Other isolates issue no token for it after some seconds. An administrator may delete that of
 * any organization. @throws RESOURCE_NOT_FOUND
 */
export async function deleteResource(scope: Scope, manager: Manager, id: string): Promise<void> {
  const owner = manager.organizationId ?? 'any'
  const work = workFor(scope, manager)
  work.run(endTokensAt(scope, store.isLiveResource(id, owner)))
  work
    .run(
      store.updateResource(scope.db, id, owner, { deletedAt: scope.now(), scopes: {}, introspectedBy: [], claims: [] }),
    )
    .orFail(errors.RESOURCE_NOT_FOUND)
  work.run(store.deleteTokensAt(scope.db, id))
  work.audit({ ...subjectOf(id, manager), action: 'delete-resource' })
  await work.commit()
  forgetResources(scope)
}
