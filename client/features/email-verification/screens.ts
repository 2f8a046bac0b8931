import { visitor } from '../../lib/screens.ts'

export default [
  visitor('/check-inbox', () => import('./check-inbox.tsx')),
  visitor('/verify-email', () => import('./verify-email.tsx')),
]
