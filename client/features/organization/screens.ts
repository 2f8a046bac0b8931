import { member, type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [
  visitor(
    '/accept-invitation',
    () => import('./accept-invitation.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organizations/new',
    () => import('./create.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organization/settings',
    () => import('./settings.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organization/members',
    () => import('./members.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organization/invitations',
    () => import('./invitations.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organization/teams',
    () => import('./teams.tsx'),
    (on) => on.teams,
  ),
  member(
    '/organization/roles',
    () => import('./roles.tsx'),
    (on) => on.organization,
  ),
]

export default screens
