import { visitor } from '../../lib/screens.ts'

export default [visitor('/sign-in/phone', () => import('./sign-in.tsx'), 'phoneNumber')]
