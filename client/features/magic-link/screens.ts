import { visitor } from '../../lib/screens.ts'

export default [
  visitor('/sign-in/link', () => import('./ask.tsx'), 'magicLink'),
  visitor('/magic-link', () => import('./landing.tsx'), 'magicLink'),
]
