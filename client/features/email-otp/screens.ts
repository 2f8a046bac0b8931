import { visitor } from '../../lib/screens.ts'

export default [
  visitor('/sign-in/code', () => import('./sign-in.tsx'), 'emailOtp'),
  visitor('/verify-email/code', () => import('./verify-email.tsx'), 'emailOtp'),
]
