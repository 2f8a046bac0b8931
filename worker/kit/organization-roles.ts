import type { Roles } from './permissions.ts'

/** The roles of the specification; the configuration may add others. */
export const defaultRoles = {
  owner: {
    organization: ['update', 'delete'],
    member: ['create', 'update', 'delete'],
    invitation: ['create', 'cancel'],
    team: ['create', 'update', 'delete'],
    apiKey: ['create', 'read', 'update', 'delete'],
    singleSignOn: ['read', 'update'],
    audit: ['read', 'update'],
  },
  admin: {
    organization: ['update'],
    member: ['create', 'update', 'delete'],
    invitation: ['create', 'cancel'],
    team: ['create', 'update', 'delete'],
    apiKey: ['create', 'read', 'update', 'delete'],
    singleSignOn: ['read'],
    audit: ['read'],
  },
  member: { organization: [], member: [], invitation: [], team: [], apiKey: [], singleSignOn: [], audit: [] },
} as const satisfies Roles

type Granted = (typeof defaultRoles)['owner']

/** What a role of an organization may allow: `team:create`. The app has words for each; the configuration may add others. */
export type OrganizationPermission = { [R in keyof Granted]: `${R}:${Granted[R][number]}` }[keyof Granted]
