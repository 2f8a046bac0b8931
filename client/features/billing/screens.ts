import { member } from '../../lib/screens.ts'

export default [member('/account/billing', () => import('./billing.tsx'), 'billing')]
