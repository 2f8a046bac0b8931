import { member, type Screen } from '../../lib/screens.ts'

const screens: Screen[] = [
  member(
    '/developers/api-keys',
    () => import('./api-keys.tsx'),
    (on) => on.apiKey,
  ),
]

export default screens
