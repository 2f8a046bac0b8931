import type { Scope } from '../../../../identity/scope.ts'
import { hours, ms, seconds } from '../../../../kit/time.ts'
import { reasonOf } from '../../../../platform/log.ts'
import {
  asResourceServer,
  identityProviderOptions,
  ownScopes,
  type ResourceServer,
} from '../../identity-provider.config.ts'
import { selectResources } from './resources.store.ts'
import type { StoredResource } from './resources.table.ts'
import { normalResource } from './urls.ts'

/**
 * The resource servers: those of the configuration, and those that an administrator has registered. An isolate reads the latter once in
 * some seconds (decision 218).
 */

/** Seconds for which registered resources are used without a read. */
const usedFor = seconds(4)

/**
 * The longest lifetime (s) of a JWT of a registered resource. The list of ended tokens has to keep its entries as long, in every
 * deployment, because the resources are not read for it.
 */
export const maxRegisteredJwtLifetime = hours(1)

interface Known {
  rows: readonly StoredResource[]
  /** Unix time (ms) before the read. */
  readAt: number
}

/** By the memory of the isolate that reads the feed of ended sessions. */
const isolates = new WeakMap<object, Known>()

interface Resources {
  servers: readonly ResourceServer[]
  /** The registered ones, by normal identifier. */
  registered: ReadonlyMap<string, StoredResource>
  deleted: ReadonlySet<string>
}

/** What a request has read: all its steps see the same resources. */
const ofRequest = (): { resources: Resources | null } => ({ resources: null })

/**
 * Reads the resource servers for the functions of this file and of `resources.ts`, which are called after it. At most one D1 round
 * trip in some seconds, which does not count against the endpoint's budget.
 */
export async function readResources(scope: Scope): Promise<void> {
  const read = scope.once(ofRequest)
  if (read.resources) return
  const known = isolates.get(scope.shared.ended)
  const readAt = scope.now().getTime()
  if (known && readAt - known.readAt < ms(usedFor)) {
    read.resources = resourcesFrom(scope, known.rows)
    return
  }
  scope.io.declare({ d1: 1 })
  const rows = await selectResources(scope.db)
  isolates.set(scope.shared.ended, { rows, readAt })
  read.resources = resourcesFrom(scope, rows)
}

/** For documents, which are available while the database is not: then with the resources that the isolate knows. */
export async function tryToReadResources(scope: Scope): Promise<void> {
  try {
    await readResources(scope)
  } catch (thrown) {
    scope.log('warn', 'resources-unreachable', { reason: reasonOf(thrown) })
    scope.once(ofRequest).resources = resourcesFrom(scope, isolates.get(scope.shared.ended)?.rows ?? [])
  }
}

/** After a change, so that this isolate knows of it at once. */
export function forgetResources(scope: Scope): void {
  isolates.delete(scope.shared.ended)
  scope.once(ofRequest).resources = null
}

/** The configuration has precedence over a resource that was registered earlier. */
function resourcesFrom(scope: Scope, rows: readonly StoredResource[]): Resources {
  const configured = configuredResources(scope)
  const identifiers = configured.map(({ identifier }) => normalResource(identifier))
  const taken = [...ownScopes(scope), ...configured.flatMap(({ scopes }) => Object.keys(scopes))]
  const ours = rows.filter(({ identifier }) => !identifiers.includes(identifier))
  const withOrganizations = identityProviderOptions.of(scope).resourcesPerOrganization > 0
  const isLive = ({ deletedAt, organizationId }: StoredResource) =>
    deletedAt === null && (organizationId === null || withOrganizations)
  const live = ours.filter(isLive)
  const servers = live.map(({ identifier, scopes, tokenFormat, ...row }): ResourceServer => {
    const free = Object.entries(scopes).filter(([name]) => !taken.includes(name))
    const accessTokenExpiresIn = lifetimeOf(scope, { tokenFormat, ...row })
    return { identifier, scopes: Object.fromEntries(free), tokenFormat, accessTokenExpiresIn, claims: null }
  })
  return {
    servers: [...configured, ...servers],
    registered: new Map(live.map((row) => [row.identifier, row])),
    deleted: new Set(ours.filter((row) => !isLive(row)).map(({ identifier }) => identifier)),
  }
}

/** The lifetime (s) of the tokens of a registered resource. */
export function lifetimeOf(
  scope: Pick<Scope, 'options'>,
  { tokenFormat, accessTokenExpiresIn: own }: Pick<StoredResource, 'tokenFormat' | 'accessTokenExpiresIn'>,
): number {
  const lifetime = own ?? identityProviderOptions.of(scope).accessTokenExpiresIn
  return tokenFormat === 'jwt' ? Math.min(lifetime, maxRegisteredJwtLifetime) : lifetime
}

export const configuredResources = (scope: Pick<Scope, 'options'>): ResourceServer[] =>
  identityProviderOptions.of(scope).resources.map(asResourceServer)

/** @throws Error before `readResources`: unread resources would be unknown, and their scopes those of every token */
function resourcesOf(scope: Scope): Resources {
  const { resources } = scope.once(ofRequest)
  if (!resources) throw new Error('the resources were not read')
  return resources
}

export const resourceServers = (scope: Scope): readonly ResourceServer[] => resourcesOf(scope).servers

export const resourceIdentifiers = (scope: Scope): string[] =>
  resourceServers(scope).map(({ identifier }) => identifier)

/** @param resource in its normal form */
export const isRegistered = (scope: Scope, resource: string): boolean => resourcesOf(scope).registered.has(resource)

/** The clients that may introspect the tokens of a registered resource. @param resource in its normal form */
export const introspectorsOf = (scope: Scope, resource: string): readonly string[] =>
  resourcesOf(scope).registered.get(resource)?.introspectedBy ?? []

/** The claims of a registered resource's JWTs about the user. @param resource in its normal form */
export const claimsAt = (scope: Scope, resource: string): readonly string[] =>
  resourcesOf(scope).registered.get(resource)?.claims ?? []

/** The organization whose members alone have tokens for a resource; null for one of the deployment. @param resource in its normal form */
export const organizationOf = (scope: Scope, resource: string): string | null =>
  resourcesOf(scope).registered.get(resource)?.organizationId ?? null

/** Whether the resource is deleted: its tokens are void. */
export const isDeleted = (scope: Scope, resource: string | null): boolean =>
  resource !== null && resourcesOf(scope).deleted.has(resource)

/** Those that documents list: without those of organizations, which concern their members only. */
export const publishedScopes = (scope: Scope): string[] => {
  const { servers } = resourcesOf(scope)
  const ofDeployment = servers.filter(({ identifier }) => organizationOf(scope, identifier) === null)
  return [...new Set([...ownScopes(scope), ...ofDeployment.flatMap(({ scopes }) => Object.keys(scopes))])]
}

/** All scopes that a client may request. */
export const supportedScopes = (scope: Scope): string[] => [
  ...new Set([...ownScopes(scope), ...resourceServers(scope).flatMap(({ scopes }) => Object.keys(scopes))]),
]
