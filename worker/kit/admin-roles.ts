import type { Roles } from './permissions.ts'

/** The roles that every deployment has; `admin.roles` adds others. An action is named after its endpoint. */
export const adminRoles = {
  admin: {
    user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password', 'update'],
    session: ['list', 'revoke', 'delete'],
    audit: ['list', 'update'],
    job: ['list', 'redeliver'],
    organization: ['list', 'update', 'delete'],
    serverKey: ['list', 'create', 'revoke'],
    signalReceiver: ['list', 'create', 'update', 'delete'],
    agent: ['list', 'update'],
    resource: ['list', 'create', 'update', 'delete'],
    service: ['create', 'update', 'delete'],
    apiKey: ['list'],
    client: ['list'],
  },
  user: {
    user: [],
    session: [],
    audit: [],
    job: [],
    organization: [],
    serverKey: [],
    signalReceiver: [],
    agent: [],
    resource: [],
    service: [],
    apiKey: [],
    client: [],
  },
} as const satisfies Roles
