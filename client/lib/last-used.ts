import { remembered } from './store.ts'

/** Which way this browser signed in last: 'password', 'passkey', a provider's id. Only a mark; it proves nothing. */
export const lastUsed = {
  get: (): string | null => remembered.get('lastUsed'),
  set: (way: string): void => remembered.set('lastUsed', way),
}
