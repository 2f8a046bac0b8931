import { type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [
  visitor(
    '/sign-in/address',
    () => import('./address.tsx'),
    (on) => on.askForEmail,
  ),
]

export default screens
