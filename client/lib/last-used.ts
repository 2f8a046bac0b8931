import { presentId } from '../../worker/kit/earlier-ids.ts'
import type { SessionMethod, WayId } from './auth/endpoints.ts'
import { remembered, useBrowserValue } from './store.ts'

declare const provider: unique symbol
/** The method of a sign-in at a provider, as the server lists it. */
type AtProvider = SessionMethod & { readonly [provider]: true }

/** How a browser signs in: in a way beside the form, by the form, by the single sign-on of an address, or at a provider. */
export type UsedMethod = WayId | 'password' | 'sso' | AtProvider

export const atProvider = (id: string): AtProvider => id as AtProvider

/** What earlier versions have stored under another id. One Tap is a sign-in at Google. */
const earlier = { 'access-identity': 'cloudflare-access', 'phone-number': 'phone-otp', 'one-tap': 'google' } as const

/** The method of this browser's last sign-in. A hint for the user, not a proof. */
export const lastUsed = {
  get(): UsedMethod | null {
    const stored = remembered.get('lastUsed')
    return stored === null ? null : (presentId(earlier, stored) as UsedMethod)
  },
  set: (method: UsedMethod): void => remembered.set('lastUsed', method),
}

export const useLastUsed = (): UsedMethod | null => useBrowserValue(lastUsed.get, null)

/**
 * A method that leaves the page, such as a provider. It becomes the last used one when the browser returns with a
 * session.
 */
export const startedMethod = {
  set: (method: UsedMethod): void => remembered.set('begun', method),
  take(): UsedMethod | null {
    const method = remembered.get('begun')
    remembered.set('begun', null)
    return method as UsedMethod | null
  },
}

/** The last use of methods on any device. @param listed by the server, newest first */
export const lastUseOf = (
  listed: readonly { method: SessionMethod; lastUsedAt: Date }[],
  methods: readonly SessionMethod[],
): Date | undefined => listed.find(({ method }) => methods.includes(method))?.lastUsedAt
