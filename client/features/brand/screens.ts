import { member, type Screen, visitor } from '../../lib/screens.ts'

export default [
  member('/admin/brand', () => import('./brand.tsx'), 'admin'),
  // The Worker serves it in development only.
  visitor('/dev/brand', () => import('./development.tsx')),
] satisfies Screen[]
