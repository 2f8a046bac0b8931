/** Roles as maps of resources to actions. The Worker decides with these functions; the app hides what it rejects. */

/** Actions by resource: `{ member: ['create', 'delete'] }`. */
export type Permissions = Readonly<Record<string, readonly string[]>>

/** The permissions of each role, by role name. */
export type Roles = Readonly<Record<string, Permissions>>

/** Splits a string such as `admin, member`, or a list of such strings, into roles: trimmed, each once. */
export function splitRoles(given: string | readonly string[]): string[] {
  const texts = typeof given === 'string' ? [given] : given
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  return [...new Set(names)].filter((name) => name !== '')
}

/**
 * Normalizes roles for storage: known names, joined by commas, compared exactly (`OWNER` is not a role). All input
 * passes through here. @returns null without a role, or with an unknown one
 */
export function readRoles(known: Roles, given: string | readonly string[]): string | null {
  const names = splitRoles(given)
  if (names.length === 0 || !names.every((name) => Object.hasOwn(known, name))) return null
  return names.join(',')
}

/** Whether stored roles include one. */
export const hasRole = (held: string, role: string): boolean => splitRoles(held).includes(role)

const allows = (role: Permissions, wanted: Permissions): boolean =>
  Object.entries(wanted).every(
    ([resource, actions]) =>
      Object.hasOwn(role, resource) && actions.every((action) => role[resource]!.includes(action)),
  )

/**
 * Whether a user may grant or revoke roles: the held roles allow everything that they allow. Only users with
 * `ownerRole` may grant that role, and they may grant every role.
 */
export function mayGrant(known: Roles, ownerRole: string, held: string, given: string): boolean {
  if (hasRole(held, ownerRole)) return true
  const own = splitRoles(held).filter((name) => Object.hasOwn(known, name))
  const holds = (resource: string, action: string) => own.some((name) => allows(known[name]!, { [resource]: [action] }))
  return splitRoles(given).every(
    (name) =>
      name !== ownerRole &&
      (!Object.hasOwn(known, name) ||
        Object.entries(known[name]!).every(([resource, actions]) =>
          actions.every((action) => holds(resource, action)),
        )),
  )
}

/** Whether one of the held roles allows everything in `wanted`; false for an empty `wanted`. */
export const mayDo = (known: Roles, held: string, wanted: Permissions): boolean =>
  Object.keys(wanted).length > 0 &&
  splitRoles(held).some((name) => Object.hasOwn(known, name) && allows(known[name]!, wanted))
