import { member } from '../../lib/screens.ts'

export default [member('/admin/server-keys', () => import('./server-keys.tsx'), 'serverKeys')]
