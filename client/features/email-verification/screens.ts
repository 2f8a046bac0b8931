import { type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [
  visitor('/check-inbox', () => import('./check-inbox.tsx')),
  visitor('/verify-email', () => import('./verify-email.tsx')),
]

export default screens
