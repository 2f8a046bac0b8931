import { type ComponentType, lazy } from 'react'

/**
 * Places in the signed-in frame where a capability steps in. Each entry is a component without props (lazy, so that
 * its code is not in everybody's first load) and decides itself whether it shows anything.
 */

/** Above everything: impersonation, a guest's way to an account, the offer of a passkey. */
export const banners: ComponentType[] = [
  lazy(() => import('../features/admin/impersonation-banner.tsx')),
  lazy(() => import('../features/anonymous/guest-banner.tsx')),
  lazy(() => import('../features/passkey/offer.tsx')),
]

/** In the top bar, beside the product's name: the organization switcher. */
export const switchers: ComponentType[] = [lazy(() => import('../features/organization/switcher.tsx'))]

/** In the person's menu, above the theme: other accounts on this device. */
export const personMenu: ComponentType[] = [lazy(() => import('../features/multi-session/accounts-menu.tsx'))]
