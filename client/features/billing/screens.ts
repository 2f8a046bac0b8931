import { member, type Screen } from '../../lib/screens.ts'

const screens: Screen[] = [
  member(
    '/account/billing',
    () => import('./billing.tsx'),
    (on) => on.billing,
  ),
]

export default screens
