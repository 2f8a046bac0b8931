import type { ComponentType } from 'react'

/**
 * Places in the signed-in frame where a capability steps in. Each entry is a component without props (lazy, so that
 * its code is not in everybody's first load) and decides itself whether it shows anything.
 */

/** Above everything, and never dismissed: impersonation. */
export const banners: ComponentType[] = []

/** In the top bar, beside the product's name: the organization switcher. */
export const switchers: ComponentType[] = []

/** In the person's menu, above the theme: other accounts on this device. */
export const personMenu: ComponentType[] = []
