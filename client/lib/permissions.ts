/** Actions by resource, and what each role may do: the data comes from the server, with GET /config. */
export type Permissions = Readonly<Record<string, readonly string[]>>
export type Roles = Readonly<Record<string, Permissions>>

/** The single roles of a stored text such as `admin,member`. */
export const splitRoles = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const allows = (role: Permissions, wanted: Permissions): boolean =>
  Object.entries(wanted).every(
    ([resource, actions]) =>
      Object.hasOwn(role, resource) && actions.every((action) => role[resource]?.includes(action)),
  )

/**
 * Whether one of the held roles allows all that is wanted: the server's own rule (worker/kit/permissions.ts), so that
 * screens show the buttons that will work. A test holds the two together; the server decides.
 */
export const can = (known: Roles, held: string, wanted: Permissions): boolean =>
  Object.keys(wanted).length > 0 &&
  splitRoles(held).some((name) => Object.hasOwn(known, name) && allows(known[name] as Permissions, wanted))

/** Whether the roles of the whole application allow anything at all to be done to others. */
export const administersAnything = (known: Roles, held: string): boolean =>
  splitRoles(held).some(
    (name) => Object.hasOwn(known, name) && Object.values(known[name] ?? {}).some((actions) => actions.length > 0),
  )

/**
 * What one administrator of the whole application may do. Who sees users although no role allows it is one by the list
 * of ids, and may do everything.
 */
export const administratorMay = (known: Roles, held: string, wanted: Permissions): boolean =>
  !can(known, held, { user: ['list'] }) || can(known, held, wanted)

/** Whether whoever holds some roles may give or take others: the server's own rule, as above. */
export function mayGrant(known: Roles, ownerRole: string, held: string, given: string): boolean {
  const own = splitRoles(held)
  if (own.includes(ownerRole)) return true
  const holds = (resource: string, action: string) => own.some((name) => can(known, name, { [resource]: [action] }))
  return splitRoles(given).every(
    (name) =>
      name !== ownerRole &&
      Object.entries((Object.hasOwn(known, name) && known[name]) || {}).every(([resource, actions]) =>
        actions.every((action) => holds(resource, action)),
      ),
  )
}

/** The roles that allow it, in the order in which the server lists them. */
export const rolesThatCan = (known: Roles, wanted: Permissions): string[] =>
  Object.keys(known).filter((name) => can(known, name, wanted))
