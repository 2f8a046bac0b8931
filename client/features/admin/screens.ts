import { member, type Screen } from '../../lib/screens.ts'

const screens: Screen[] = [
  member(
    '/admin/users',
    () => import('./users.tsx'),
    (on) => on.admin,
  ),
  member(
    '/admin/users/new',
    () => import('./create-user.tsx'),
    (on) => on.admin,
  ),
  member(
    '/admin/users/:id',
    () => import('./user.tsx'),
    (on) => on.admin,
  ),
  member(
    '/admin/audit',
    () => import('./audit.tsx'),
    (on) => on.admin,
  ),
]

export default screens
