import { mayDo, type Permissions, type Roles, splitRoles } from '../../worker/kit/permissions.ts'

/** Whether roles of the whole application allow any action on other users. */
export const administersAnything = (known: Roles, held: string): boolean =>
  splitRoles(held).some(
    (name) => Object.hasOwn(known, name) && Object.values(known[name]!).some((actions) => actions.length > 0),
  )

/**
 * Whether an administrator of the whole application may do something. Administrators whose roles do not allow them to
 * list users are in `adminUserIds` and may do everything.
 */
export const administratorMay = (known: Roles, held: string, wanted: Permissions): boolean =>
  !mayDo(known, held, { user: ['list'] }) || mayDo(known, held, wanted)

/** The roles that allow something, in the order of the configuration. */
export const rolesThatCan = (known: Roles, wanted: Permissions): string[] =>
  Object.keys(known).filter((name) => mayDo(known, name, wanted))

export const roleField = (role: string): string => `role-${role}`

export const chosenRoles = (values: Record<string, string>, known: string[]): string[] =>
  known.filter((role) => values[roleField(role)] === 'on')
