import { type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [
  visitor(
    '/sign-in/link',
    () => import('./ask.tsx'),
    (on) => on.magicLink,
  ),
  visitor(
    '/magic-link',
    () => import('./landing.tsx'),
    (on) => on.magicLink,
  ),
]

export default screens
