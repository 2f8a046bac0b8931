import { member } from '../../lib/screens.ts'

export default [
  member('/admin/users', () => import('./users.tsx'), 'admin'),
  member('/admin/users/new', () => import('./create-user.tsx'), 'admin'),
  member('/admin/users/:id', () => import('./user.tsx'), 'admin'),
  member('/admin/organizations', () => import('./organizations.tsx'), 'organization'),
  member('/admin/organizations/:id', () => import('./organization.tsx'), 'organization'),
  member('/admin/api-keys/:id', () => import('./found-key.tsx'), 'apiKey'),
  member('/admin/clients/:id', () => import('./found-client.tsx'), 'identityProvider'),
  member('/admin/events', () => import('./events.tsx'), 'admin'),
  member('/admin/audit', () => import('./audit.tsx'), 'admin'),
]
