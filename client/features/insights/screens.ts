import { member } from '../../lib/screens.ts'

export default [
  member('/admin', () => import('./overview.tsx'), 'admin'),
  member('/admin/threats', () => import('./threats.tsx'), 'risk'),
]
