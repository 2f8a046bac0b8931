import { useConfig, useMember } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { can, type Permissions, splitRoles } from '../../lib/permissions.ts'

/** A user as administrators see them. */
export interface ManagedUser extends User {
  role: string
  banned: boolean
  banReason: string | null
  banExpires: Date | null
}

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
  // Who sees users although no role allows it is an administrator by the list of ids, and may do everything.
  const isListed = !can(roles, held, { user: ['list'] })
  const may = (wanted: Permissions) => isListed || can(roles, held, wanted)
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
  return (role: string) =>
    splitRoles(role).some((name) => Object.values(roles[name] ?? {}).some((list) => list.length > 0))
}
