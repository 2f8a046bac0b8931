import type { Scope } from '../../../../identity/scope.ts'
import { identityProviderOptions, type ResourceServer } from '../../identity-provider.config.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import { isDeleted, isRegistered, resourceServers, supportedScopes } from './known-resources.ts'
import { words } from './parameters.ts'
import { normalResource } from './urls.ts'

/** The resource server with this identifier in its normal form; null for another one, such as that of MCP. */
export function findResource(scope: Scope, resource: string | null): ResourceServer | null {
  if (resource === null) return null
  return resourceServers(scope).find(({ identifier }) => normalResource(identifier) === resource) ?? null
}

/** The scopes of resource servers, each with the normal identifier of its server. */
export const scopeOwners = (scope: Scope): ReadonlyMap<string, string> =>
  new Map(
    resourceServers(scope).flatMap(({ identifier, scopes }) =>
      Object.keys(scopes).map((name) => [name, normalResource(identifier)] as const),
    ),
  )

/** The words of those scopes that belong to resources, for the user who decides. */
export const scopeWords = (scope: Scope, scopes: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    resourceServers(scope)
      .flatMap(({ scopes }) => Object.entries(scopes))
      .filter(([name]) => scopes.includes(name)),
  )

/**
 * The scopes of an access token for a resource: without those of other resources (RFC 9068, section 3). A scope that an
 * administrator has removed from a registered resource leaves its tokens.
 */
export function scopesAt(scope: Scope, granted: readonly string[], resource: string | null): string[] {
  const owners = scopeOwners(scope)
  const held = granted.filter((name) => !owners.has(name) || owners.get(name) === resource)
  if (resource === null || !isRegistered(scope, resource)) return held
  const supported = supportedScopes(scope)
  return held.filter((name) => supported.includes(name))
}

/** @throws invalid_target for a resource that an administrator has deleted: a code or an approval may still name it */
export function requireResource(scope: Scope, resource: string | null): void {
  if (isDeleted(scope, resource)) throw oauthError('invalid_target', 'the resource does not exist')
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

/**
 * The scopes that a service may have at a resource (normal form), without those that the resource has lost; null if it has no access to
 * the resource.
 */
export function scopesOfService(
  scope: Scope,
  { access }: { access: Readonly<Record<string, readonly string[]>> },
  resource: string,
): readonly string[] | null {
  const entry = Object.entries(access).find(([identifier]) => normalResource(identifier) === resource)
  const server = findResource(scope, resource)
  return entry && server ? entry[1].filter((name) => Object.hasOwn(server.scopes, name)) : null
}

/** The normal form of an access by resource; null without a scope, or for an unknown resource or scope. */
export function readAccess(
  scope: Scope,
  access: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> | null {
  const entries = Object.entries(access).map(([given, scopes]) => {
    const server = findResource(scope, normalResource(given))
    const isKnown = server && scopes.length > 0 && scopes.every((name) => Object.hasOwn(server.scopes, name))
    return isKnown ? ([normalResource(given), [...new Set(scopes)]] satisfies [string, string[]]) : null
  })
  const known = entries.filter((entry) => entry !== null)
  return known.length === entries.length && known.length > 0 ? Object.fromEntries(known) : null
}
