import { type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [
  visitor(
    '/sign-in/phone',
    () => import('./sign-in.tsx'),
    (on) => on.phoneNumber,
  ),
]

export default screens
