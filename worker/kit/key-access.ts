import type { Permissions } from './permissions.ts'

/**
 * What an API key may do with the session of its owner. Each level includes the next one.
 * - `full`: every endpoint that accepts a session, except those that require the user's own session
 * - `read-only`: of these, only endpoints that change nothing
 * - `verify-only`: no endpoint; another Worker can still verify the key
 */
export const keyAccessLevels = ['full', 'read-only', 'verify-only'] as const

export type KeyAccess = (typeof keyAccessLevels)[number]

/** The default access level of a key. A key with permissions is not meant for every endpoint. */
export const usualKeyAccess = (permissions: Permissions | null): KeyAccess =>
  Object.keys(permissions ?? {}).length > 0 ? 'read-only' : 'full'
