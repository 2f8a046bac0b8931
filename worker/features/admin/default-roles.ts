import type { Roles } from '../../kit/permissions.ts'

/** The roles that every deployment has; `admin.roles` adds others. An action is named after its endpoint. */
export const defaultRoles = {
  admin: {
    user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password', 'update'],
    session: ['list', 'revoke', 'delete'],
    audit: ['list'],
  },
  user: { user: [], session: [], audit: [] },
} as const satisfies Roles
