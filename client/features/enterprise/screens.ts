import { member, visitor } from '../../lib/screens.ts'

export default [
  member('/organization/settings/single-sign-on', () => import('./single-sign-on.tsx'), 'singleSignOn'),
  member('/organization/settings/single-sign-on/:id', () => import('./single-sign-on.tsx'), 'singleSignOn'),
  visitor('/sso-setup', () => import('./setup.tsx'), 'singleSignOn'),
  visitor('/sign-in/organization', () => import('./confirm.tsx'), 'singleSignOn'),
]
