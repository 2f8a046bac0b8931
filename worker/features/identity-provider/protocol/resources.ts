import type { Scope } from '../../../identity/scope.ts'
import {
  asResourceServer,
  identityProviderOptions,
  type ResourceServer,
  type Service,
} from '../identity-provider.config.ts'
import { words } from './parameters.ts'
import { normalResource } from './urls.ts'

/** The configured resource server with this identifier in its normal form; null for another one, such as that of MCP. */
export function findResource(scope: Scope, resource: string | null): ResourceServer | null {
  if (resource === null) return null
  const servers = identityProviderOptions.of(scope).resources.map(asResourceServer)
  return servers.find(({ identifier }) => normalResource(identifier) === resource) ?? null
}

/** The scopes of resource servers, each with the normal identifier of its server. */
export const scopeOwners = (scope: Scope): ReadonlyMap<string, string> =>
  new Map(
    identityProviderOptions
      .of(scope)
      .resources.map(asResourceServer)
      .flatMap(({ identifier, scopes }) =>
        Object.keys(scopes).map((name) => [name, normalResource(identifier)] as const),
      ),
  )

/** The configured words of those scopes that belong to resources, for the user who decides. */
export const scopeWords = (scope: Scope, scopes: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    identityProviderOptions
      .of(scope)
      .resources.flatMap((given) => Object.entries(asResourceServer(given).scopes))
      .filter(([name]) => scopes.includes(name)),
  )

/** The scopes of an access token for a resource: without those of other resources (RFC 9068, section 3). */
export function scopesAt(scope: Scope, granted: readonly string[], resource: string | null): string[] {
  const owners = scopeOwners(scope)
  return granted.filter((name) => !owners.has(name) || owners.get(name) === resource)
}

/** The lifetime of an access token in seconds. */
export const accessTokenLifetime = (scope: Scope, resource: string | null): number =>
  findResource(scope, resource)?.accessTokenExpiresIn ?? identityProviderOptions.of(scope).accessTokenExpiresIn

/** The resources of a request in their normal form, joined by spaces; null without any. */
export const resourceList = (given: string | undefined): string | null =>
  given === undefined ? null : [...new Set(words(given).map(normalResource))].join(' ')

/**
 * The resource of an access token (RFC 8707, section 2.2): the one that the token request names, or the only granted
 * one; null: this server. @param granted resources joined by spaces
 */
export function chooseResource(
  wanted: string | undefined,
  granted: string | null,
): { resource: string | null } | 'foreign' | 'ambiguous' {
  const all = words(granted ?? undefined)
  const named = words(wanted).map(normalResource)
  if (named.some((one) => !all.includes(one))) return 'foreign'
  const candidates = named.length > 0 ? [...new Set(named)] : all
  if (candidates.length > 1) return 'ambiguous'
  return { resource: candidates[0] ?? null }
}

/** The result of `chooseResource` after the checks of the request have passed. */
export function chosenResource(wanted: string | undefined, granted: string | null): string | null {
  const chosen = chooseResource(wanted, granted)
  if (typeof chosen === 'string') throw new Error(`the resource is ${chosen}, which the checks reject`)
  return chosen.resource
}

/** The service of the configuration with this client id, unless it is disabled. */
export const findService = (scope: Scope, clientId: string): Service | null =>
  identityProviderOptions.of(scope).services.find((service) => service.clientId === clientId && !service.disabled) ??
  null

/** The scopes that a service may have at a resource (normal form); null if it has no access to the resource. */
export function scopesOfService({ access }: Service, resource: string): readonly string[] | null {
  const entry = Object.entries(access).find(([identifier]) => normalResource(identifier) === resource)
  return entry ? entry[1] : null
}
