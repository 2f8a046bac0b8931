import type { SessionMethod } from './auth/endpoints.ts'
import { remembered, useBrowserValue } from './store.ts'

/**
 * The method of this browser's last sign-in: 'password', 'passkey', the id of a provider. A hint for the user, not a
 * proof.
 */
export const lastUsed = {
  get: (): string | null => remembered.get('lastUsed'),
  set: (way: string): void => remembered.set('lastUsed', way),
}

export const useLastUsed = (): string | null => useBrowserValue(lastUsed.get, null)

/**
 * A method that leaves the page, such as a provider. It becomes the last used one when the browser returns with a
 * session.
 */
export const startedMethod = {
  set: (way: string): void => remembered.set('begun', way),
  take(): string | null {
    const way = remembered.get('begun')
    remembered.set('begun', null)
    return way
  },
}

/** The method of a sign-in at a provider, as the server lists it. */
export const atProvider = (id: string): SessionMethod => id

/** The last use of methods on any device. @param listed by the server, newest first */
export const lastUseOf = (
  listed: readonly { method: SessionMethod; lastUsedAt: Date }[],
  methods: readonly SessionMethod[],
): Date | undefined => listed.find(({ method }) => methods.includes(method))?.lastUsedAt
