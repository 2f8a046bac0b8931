import { member } from '../../lib/screens.ts'

export default [member('/admin', () => import('./overview.tsx'), 'admin')]
