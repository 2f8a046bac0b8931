import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { newId } from '../../../kit/random.ts'
import { rowsChanged } from '../../../platform/statements.ts'
import { ownScopes } from '../identity-provider.config.ts'
import { identityProviderErrors as errors } from '../identity-provider.errors.ts'
import { configuredResources, forgetResources } from '../protocol/known-resources.ts'
import type { StoredResource } from '../protocol/resources.table.ts'
import { normalResource } from '../protocol/urls.ts'
import * as store from './resources.store.ts'

type Properties = Pick<StoredResource, 'name' | 'scopes' | 'accessTokenExpiresIn' | 'introspectedBy'>

const present = ({ deletedAt: _, ...shown }: StoredResource) => shown

/** RFC 8141, section 2, without optional components. */
const urn = /^urn:[a-z0-9][a-z0-9-]{0,30}[a-z0-9]:[\w().+,:=@;$!*'&~%/-]+$/i

/**
 * The normal form of an identifier (RFC 8707, section 2): an https URL or a URN. It is not on our own host, so that no token
 * for this server is one for the resource. @throws INVALID_RESOURCE_IDENTIFIER
 */
function readIdentifier(scope: Scope, given: string): string {
  if (!URL.canParse(given) || /[\s#"<>\\]/.test(given)) throw errors.INVALID_RESOURCE_IDENTIFIER()
  const url = new URL(given)
  const isAddress =
    url.protocol === 'https:' && !url.username && !url.password && url.host !== new URL(scope.settings.baseUrl).host
  if (!isAddress && !urn.test(given)) throw errors.INVALID_RESOURCE_IDENTIFIER()
  return normalResource(given)
}

/** A scope belongs to one resource, because a consent is stored by scope. @throws RESOURCE_SCOPE_EXISTS */
function requireFreeScopes(scope: Scope, names: readonly string[]): void {
  const taken = [...ownScopes(scope), ...configuredResources(scope).flatMap(({ scopes }) => Object.keys(scopes))]
  if (names.some((name) => taken.includes(name))) throw errors.RESOURCE_SCOPE_EXISTS()
}

/** The resources of other features, such as tool servers of MCP, are no less taken. */
function isConfigured(scope: Scope, identifier: string): boolean {
  const { resource = null } = (scope.options.mcp ?? {}) as { resource?: string | string[] | null }
  const tools = resource === null ? [] : [resource].flat()
  const configured = configuredResources(scope).map((one) => one.identifier)
  return [...configured, ...tools].map(normalResource).includes(identifier)
}

const audited = (row: StoredResource) => {
  const { identifier, name, scopes, accessTokenExpiresIn, introspectedBy } = row
  return { identifier, name, scopes: Object.keys(scopes).join(' '), accessTokenExpiresIn, introspectedBy }
}

/**
 * Registers a resource server, which clients can name from now on here, and in some seconds elsewhere.
 * @throws INVALID_RESOURCE_IDENTIFIER, RESOURCE_EXISTS, RESOURCE_SCOPE_EXISTS, RESOURCE_LIMIT_REACHED
 */
export async function createResource(
  scope: Scope,
  { identifier: given, ...properties }: Properties & { identifier: string },
) {
  const identifier = readIdentifier(scope, given)
  if (isConfigured(scope, identifier)) throw errors.RESOURCE_EXISTS()
  const names = Object.keys(properties.scopes)
  requireFreeScopes(scope, names)
  const now = scope.now()
  const introspectedBy = [...new Set(properties.introspectedBy)]
  const row = {
    id: newId(),
    identifier,
    ...properties,
    introspectedBy,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  const work = unitOfWork(scope)
  work.require(store.hasFewerResources, errors.RESOURCE_LIMIT_REACHED)
  work.require(store.scopesAreFree(names, row.id), errors.RESOURCE_SCOPE_EXISTS)
  work.run(store.insertResource(scope.db, row))
  work.require(rowsChanged, errors.RESOURCE_EXISTS)
  work.audit({ action: 'create-resource', subjectType: 'resource', subjectId: row.id, after: audited(row) })
  await work.commit()
  forgetResources(scope)
  return present(row)
}

/** @throws RESOURCE_NOT_FOUND, RESOURCE_SCOPE_EXISTS */
export async function updateResource(scope: Scope, { id, ...properties }: Properties & { id: string }) {
  const names = Object.keys(properties.scopes)
  requireFreeScopes(scope, names)
  const introspectedBy = [...new Set(properties.introspectedBy)]
  const work = unitOfWork(scope)
  work.require(store.scopesAreFree(names, id), errors.RESOURCE_SCOPE_EXISTS)
  const updated = work.run(
    store.updateResource(scope.db, id, { ...properties, introspectedBy, updatedAt: scope.now() }),
  )
  work.require(rowsChanged, errors.RESOURCE_NOT_FOUND)
  const { name, accessTokenExpiresIn } = properties
  const after = { name, scopes: names.join(' '), accessTokenExpiresIn, introspectedBy }
  work.audit({ action: 'update-resource', subjectType: 'resource', subjectId: id, after })
  await work.commit()
  forgetResources(scope)
  return present(updated.row!)
}

/** Deletes a resource with its tokens. Other isolates issue no token for it after some seconds. @throws RESOURCE_NOT_FOUND */
export async function deleteResource(scope: Scope, id: string): Promise<void> {
  const work = unitOfWork(scope)
  work.run(store.updateResource(scope.db, id, { deletedAt: scope.now(), scopes: {}, introspectedBy: [] }))
  work.require(rowsChanged, errors.RESOURCE_NOT_FOUND)
  work.add(store.deleteTokensAt(scope.db, id))
  work.audit({ action: 'delete-resource', subjectType: 'resource', subjectId: id })
  await work.commit()
  forgetResources(scope)
}
