import type { ApiKey } from './api-key.table.ts'

/** A key as answers show it: all but its hash and our own bookkeeping. */
export type PresentedKey = Omit<ApiKey, 'keyHash' | 'windowStartedAt' | 'organizationId'> & { organizationId?: string }

export function presentKey({ keyHash, windowStartedAt, organizationId, ...shown }: ApiKey): PresentedKey {
  return organizationId === null ? shown : { ...shown, organizationId }
}
