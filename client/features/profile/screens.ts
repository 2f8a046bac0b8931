import { visitor } from '../../lib/screens.ts'

export default [
  visitor('/goodbye', () => import('./goodbye.tsx')),
  visitor('/revert-email', () => import('./revert-email.tsx')),
]
