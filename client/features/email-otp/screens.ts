import { type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [
  visitor(
    '/sign-in/code',
    () => import('./sign-in.tsx'),
    (on) => on.emailOtp,
  ),
  visitor(
    '/verify-email/code',
    () => import('./verify-email.tsx'),
    (on) => on.emailOtp,
  ),
]

export default screens
