import { type Permissions, splitRoles } from '../../../worker/kit/permissions.ts'
import { useConfig, useMember } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { administersAnything, administratorMay } from '../../lib/permissions.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { refreshQueries } from '../../lib/queries.ts'

/** Whether a ban is in force: the next sign-in clears an expired one. */
export const isBanned = ({ banned, banExpires }: User): boolean =>
  banned === true && (!banExpires || banExpires.getTime() > Date.now())

/** The text that confirms a ban or a removal: the email address, unless it is a placeholder. */
export const phraseOf = (user: Pick<User, 'id' | 'name' | 'email'>): string =>
  isPlaceholder(user.email) ? user.name.trim() || user.id : user.email

export const nameOf = ({ name, email }: Pick<User, 'name' | 'email'>): string => name || email

export function useAdminRules() {
  return useConfig().admin ?? { roles: {}, defaultRole: 'user' }
}

export const refreshUser = () =>
  refreshQueries('adminUser', 'adminUsers', 'adminAudit', 'adminSessions', 'adminSecurityEvents')

/** What the administrator may do: screens hide what the server would reject. */
export function useRights() {
  const { roles } = useAdminRules()
  const { user } = useMember()
  const held = user.role ?? ''
  const may = (wanted: Permissions) => administratorMay(roles, held, wanted)
  /** Administrators grant and revoke only permissions that they have. */
  const mayGrant = (given: string) =>
    splitRoles(given).every((name) =>
      Object.entries(roles[name] ?? {}).every(([resource, actions]) =>
        actions.every((action) => may({ [resource]: [action] })),
      ),
    )
  return { may, mayGrant }
}

export function useAdministers() {
  const { roles } = useAdminRules()
  return (role: string) => administersAnything(roles, role)
}
