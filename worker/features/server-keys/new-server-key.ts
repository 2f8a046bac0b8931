import { sha256 } from '../../kit/hash.ts'
import { newKey } from '../../kit/key-form.ts'
import { newId } from '../../kit/random.ts'
import type { ServerPermission } from '../../kit/server-permissions.ts'
import { after } from '../../kit/time.ts'
import type { ServerKey } from './server-keys.table.ts'

/** Secret scanners recognize a key by its prefix and checksum. */
export const serverKeyPrefix = 'gh_sk_'

/** Characters after the prefix. */
export const serverKeyLength = 48

const shownCharacters = 4

export interface NewServerKey {
  name: string
  permissions: readonly string[]
  /** Seconds. */
  expiresIn?: number | null | undefined
  addresses?: readonly string[] | undefined
}

/** A row, and the key, which is shown once. For the endpoint and for the command line. @param createdBy a user id */
export function makeServerKey(
  { name, permissions, expiresIn, addresses = [] }: NewServerKey,
  createdBy: string | null,
  now: Date,
): { row: ServerKey; shown: string } {
  const shown = newKey(serverKeyPrefix, serverKeyLength)
  const row: ServerKey = {
    id: newId(),
    name,
    start: shown.slice(0, serverKeyPrefix.length + shownCharacters),
    keyHash: sha256(shown),
    permissions: [...new Set(permissions)] as ServerPermission[],
    addresses: [...new Set(addresses)],
    expiresAt: expiresIn ? after(now, expiresIn) : null,
    lastUsedAt: null,
    createdBy,
    createdAt: now,
  }
  return { row, shown }
}
