import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { splitRoles } from '../../kit/permissions.ts'
import { adminOptions } from './admin.config.ts'

/** Scope `roles`: the roles of a user in this application, and what they allow, as `user:ban`. */
export const adminClaims = {
  roles(scope: Scope, user: User) {
    const known = adminOptions.of(scope).roles
    const roles = splitRoles(user.role ?? '')
    const permissions = roles.flatMap((role) =>
      Object.entries(Object.hasOwn(known, role) ? known[role]! : {}).flatMap(([resource, actions]) =>
        actions.map((action) => `${resource}:${action}`),
      ),
    )
    return { roles, permissions: [...new Set(permissions)] }
  },
}
