import { useConfig, useMember } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { administersAnything, administratorMay, type Permissions, splitRoles } from '../../lib/permissions.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'

/** A user as administrators see them. */
export interface ManagedUser extends User {
  role: string
  banned: boolean
  banReason: string | null
  banExpires: Date | null
}

/** Whether a ban still holds: one that has ended is cleared at the next sign-in. */
export const isBanned = ({ banned, banExpires }: ManagedUser): boolean =>
  banned && (banExpires === null || banExpires.getTime() > Date.now())

/** What must be typed before somebody is banned or removed: their address, unless it was made up. */
export const phraseOf = (user: Pick<User, 'id' | 'name' | 'email'>): string =>
  isPlaceholder(user.email) ? user.name.trim() || user.id : user.email

export const nameOf = ({ name, email }: Pick<User, 'name' | 'email'>): string => name || email

/** Roles and what they allow, as the server tells them. */
export function useAdminRules() {
  return useConfig().admin ?? { roles: {}, defaultRole: 'user' }
}

/** What the signed-in person may do here; the server decides, this only leaves out what would be refused. */
export function useRights() {
  const { roles } = useAdminRules()
  const { user } = useMember()
  const held = user.role ?? ''
  const may = (wanted: Permissions) => administratorMay(roles, held, wanted)
  /** Nobody grants or takes what they do not hold themselves. */
  const mayGrant = (given: string) =>
    splitRoles(given).every((name) =>
      Object.entries(roles[name] ?? {}).every(([resource, actions]) =>
        actions.every((action) => may({ [resource]: [action] })),
      ),
    )
  return { may, mayGrant }
}

/** Whether somebody may do anything to others. */
export function useAdministers() {
  const { roles } = useAdminRules()
  return (role: string) => administersAnything(roles, role)
}
