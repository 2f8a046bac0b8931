import type { Roles } from '../../../kit/permissions.ts'

/** The roles that every organization has, by the specification; the configuration may add others. */
export const defaultRoles = {
  owner: {
    organization: ['update', 'delete'],
    member: ['create', 'update', 'delete'],
    invitation: ['create', 'cancel'],
    team: ['create', 'update', 'delete'],
    apiKey: ['create', 'read', 'update', 'delete'],
  },
  admin: {
    organization: ['update'],
    member: ['create', 'update', 'delete'],
    invitation: ['create', 'cancel'],
    team: ['create', 'update', 'delete'],
    apiKey: ['create', 'read', 'update', 'delete'],
  },
  member: { organization: [], member: [], invitation: [], team: [], apiKey: [] },
} as const satisfies Roles
