import type { Permissions } from './permissions.ts'

/**
 * The permissions of server keys, each with the permissions that an administrator needs to grant it: a key never allows
 * more than the administrator who creates it. Operations name one of them (http/operations.ts).
 */
export const serverPermissions = {
  'users:read': { user: ['list'] },
  'users:write': { user: ['create', 'update', 'ban', 'delete'] },
  'users:roles': { user: ['set-role'] },
  /** All stored data of a user. */
  'users:export': { user: ['list'], session: ['list'], audit: ['list'] },
  /** Codes, backup codes and the tokens of providers, with which a server can act as the user. */
  'credentials:read': { user: ['set-password', 'impersonate'] },
  'credentials:write': { user: ['set-password', 'impersonate'] },
  'sessions:read': { session: ['list'] },
  'sessions:write': { session: ['revoke'] },
  'organizations:read': { organization: ['list'] },
  'organizations:write': { organization: ['update', 'delete'] },
  'members:read': { organization: ['list'] },
  'members:write': { organization: ['update'] },
  'invitations:read': { organization: ['list'] },
  'invitations:write': { organization: ['update'] },
  'single-sign-on:read': { organization: ['list'] },
  /** A connection signs users in. */
  'single-sign-on:write': { organization: ['update'], user: ['impersonate'] },
  'api-keys:read': { user: ['list'] },
  /** A key opens the session of its owner. */
  'api-keys:write': { user: ['impersonate'] },
  'api-keys:verify': { user: ['list'] },
  'events:read': { session: ['list'] },
  'audit:read': { audit: ['list'] },
  'jobs:read': { job: ['list'] },
  'jobs:write': { job: ['redeliver'] },
  'billing:read': { user: ['list'] },
  'tokens:verify': { user: ['list'] },
  'clients:write': { user: ['impersonate'] },
  'signing-keys:write': { user: ['impersonate'] },
} as const satisfies Readonly<Record<string, Permissions>>

export type ServerPermission = keyof typeof serverPermissions

export const serverPermissionNames = Object.keys(serverPermissions) as ServerPermission[]

export const isServerPermission = (text: string): text is ServerPermission => Object.hasOwn(serverPermissions, text)

/** The highest maximum of server keys that a configuration may set, and that of the command line, which does not read it. */
export const maxServerKeys = 500
