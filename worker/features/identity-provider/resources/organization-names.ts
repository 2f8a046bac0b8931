/**
 * The names that an organization gives its resources and their scopes. Both contain what only this organization has, so that it
 * takes no name of the deployment or of another organization.
 */

/** The URN of a resource with a short name; null for another text. */
export const organizationUrn = (organizationId: string, name: string): string | null =>
  /^[a-z0-9][a-z0-9-]{0,49}$/.test(name) ? `urn:gatehouse:organization:${organizationId}:${name}` : null

/** The host of an address; null for a URN. */
export const nameOfAddress = (identifier: string): string | null =>
  identifier.startsWith('https://') ? new URL(identifier).hostname : null

/** A host and the domains above it. */
export function parentDomains(host: string): string[] {
  const labels = host.replace(/\.$/, '').split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

const separatorOf = (identifier: string) => (identifier.startsWith('urn:') ? ':' : '/')

/** The scopes of a resource of an organization begin with its identifier. @param scopes by their short names */
export const scopesOfOrganization = (
  identifier: string,
  scopes: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(scopes).map(([name, words]) => [`${identifier}${separatorOf(identifier)}${name}`, words]),
  )
