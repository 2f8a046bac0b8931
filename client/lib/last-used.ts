import { remembered } from './store.ts'

/** Which way this browser signed in last: 'password', 'passkey', a provider's id. Only a mark; it proves nothing. */
export const lastUsed = {
  get: (): string | null => remembered.get('lastUsed'),
  set: (way: string): void => remembered.set('lastUsed', way),
}

/** A way that leaves the page, such as a provider: it becomes the last used one when it comes back with a session. */
export const begun = {
  set: (way: string): void => remembered.set('begun', way),
  take(): string | null {
    const way = remembered.get('begun')
    remembered.set('begun', null)
    return way
  },
}
