import { member } from '../../lib/screens.ts'

export default [member('/admin/undelivered', () => import('./undelivered.tsx'), 'admin')]
