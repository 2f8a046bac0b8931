import { member, type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [
  visitor(
    '/consent',
    () => import('./consent.tsx'),
    (on) => on.identityProvider,
  ),
  visitor(
    '/device',
    () => import('./device.tsx'),
    (on) => on.identityProvider,
  ),
  visitor(
    '/sign-out/application',
    () => import('./sign-out.tsx'),
    (on) => on.identityProvider,
  ),
  member(
    '/account/connections',
    () => import('./connections.tsx'),
    (on) => on.identityProvider,
  ),
  member(
    '/developers/clients',
    () => import('./clients.tsx'),
    (on) => on.identityProvider,
  ),
]

export default screens
