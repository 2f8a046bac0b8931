/**
 * Who may do what, as data: a role is a map of resources to actions. The decision is the same for organizations and
 * for the whole application. The screens decide with a twin of `mayDo` (client/lib/permissions.ts) over the same data.
 */

/** Actions by resource: `{ member: ['create', 'delete'] }`. */
export type Permissions = Readonly<Record<string, readonly string[]>>

/** What each role may do, by its name. */
export type Roles = Readonly<Record<string, Permissions>>

/** The single roles of a text such as `admin, member`, or of a list of such texts: trimmed, without repetitions. */
export function splitRoles(given: string | readonly string[]): string[] {
  const texts = typeof given === 'string' ? [given] : given
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  return [...new Set(names)].filter((name) => name !== '')
}

/**
 * Given roles in the form that is stored: known names, joined by commas. Nothing may be decided by roles that have
 * not been through here. Names are compared exactly: `OWNER` is not a role.
 * @returns null when there is none, or one that is not known
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
 * Whether whoever holds some roles may give others, or take them away: all that these allow is allowed by the held
 * ones together, so that nobody can hand out more than they have. Who holds `ownerRole` may give every role, and
 * nobody else may give that one.
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

/** Whether one of the held roles allows all that is wanted. Nothing wanted is not allowed. */
export const mayDo = (known: Roles, held: string, wanted: Permissions): boolean =>
  Object.keys(wanted).length > 0 &&
  splitRoles(held).some((name) => Object.hasOwn(known, name) && allows(known[name]!, wanted))
