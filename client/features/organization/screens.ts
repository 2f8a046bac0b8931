import { member, visitor } from '../../lib/screens.ts'

export default [
  visitor('/accept-invitation', () => import('./accept-invitation.tsx'), 'organization'),
  member('/organizations/new', () => import('./create.tsx'), 'organization'),
  member('/organization/settings', () => import('./settings.tsx'), 'organization'),
  member('/organization/members', () => import('./members.tsx'), 'organization'),
  member('/organization/invitations', () => import('./invitations.tsx'), 'organization'),
  member('/organization/teams', () => import('./teams.tsx'), 'teams'),
  member('/organization/teams/:id', () => import('./team.tsx'), 'teams'),
]
