import { type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [
  visitor(
    '/two-factor',
    () => import('./challenge.tsx'),
    (on) => on.twoFactor,
  ),
]

export default screens
