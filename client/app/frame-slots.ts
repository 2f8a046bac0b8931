import { type ComponentType, lazy } from 'react'
import type { Member } from '../lib/api.ts'

/**
 * Places in the signed-in frame where a capability steps in. Each entry is a component without props (lazy, so that
 * its code is not in everybody's first load) and decides itself whether it shows anything.
 */

export interface Banner {
  /** Whether somebody has it. Only they load its code, and their page waits for it: later it would move everything. */
  when(member: Member): boolean
  component: ComponentType
}

/** Above the page: impersonation, a guest's way to an account. */
export const banners: Banner[] = [
  {
    when: ({ session }) => Boolean(session.impersonatedBy),
    component: lazy(() => import('../features/admin/impersonation-banner.tsx')),
  },
  {
    when: ({ user }) => Boolean(user.isAnonymous),
    component: lazy(() => import('../features/anonymous/guest-banner.tsx')),
  },
]

/** Over the end of the page, some time after it: the offer of a passkey. */
export const offers: ComponentType[] = [lazy(() => import('../features/passkey/offer.tsx'))]

/** In the top bar, beside the product's name: the organization switcher. */
export const switchers: ComponentType[] = [lazy(() => import('../features/organization/switcher.tsx'))]

/** In the person's menu, above the theme: other accounts on this device. */
export const personMenu: ComponentType[] = [lazy(() => import('../features/multi-session/accounts-menu.tsx'))]
