import { visitor } from '../../lib/screens.ts'

export default [visitor('/two-factor', () => import('./challenge.tsx'), 'twoFactor')]
