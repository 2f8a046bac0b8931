import { member } from '../../lib/screens.ts'

export default [
  member('/organization/audit', () => import('./audit.tsx'), 'audit'),
  member('/organization/audit/access-review', () => import('./review.tsx'), 'audit'),
  member('/organization/audit/streams', () => import('./streams.tsx'), 'audit'),
  member('/admin/audit/streams', () => import('./deployment-streams.tsx'), 'admin'),
]
