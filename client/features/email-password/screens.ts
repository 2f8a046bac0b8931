import { visitor } from '../../lib/screens.ts'

export default [visitor('/reset-password', () => import('./reset-password.tsx'))]
