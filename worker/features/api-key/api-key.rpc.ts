import { validate } from '../../http/body.ts'
import { Operations, type Portable, type RpcAnswer, run, within } from '../../http/operations.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { keyRefusals } from './api-key.errors.ts'
import {
  type ApiKeyChanges,
  type NewApiKey,
  type PresentedKey,
  presentKey,
  serverCreateInput,
  serverUpdateInput,
  verifyInput,
} from './key-properties.ts'
import { createKey, purgeExpiredKeys, updateKey } from './manage.ts'
import { refused, type Verification, verifyKey } from './verify.ts'

export class ApiKeyOperations extends Operations {
  /**
   * Verifies and uses a key once, with these permissions. A rejection is a normal result: INVALID_API_KEY, KEY_NOT_FOUND
   * (missing permissions), KEY_DISABLED, KEY_EXPIRED, USER_IS_BANNED, USAGE_EXCEEDED, RATE_LIMITED (`details.tryAgainIn` in
   * milliseconds).
   */
  async verifyApiKey(input: { key: string; permissions?: Permissions }): Promise<Portable<Verification>> {
    const { success, data } = verifyInput.safeParse(input)
    if (!success) return refused(keyRefusals.INVALID_API_KEY()) as Portable<Verification>
    const verified = await this[within]((scope) => verifyKey(scope, data.key, data.permissions), { near: true })
    return verified as Portable<Verification>
  }

  /** Creates a key of a user or an organization, with properties that only servers may set. */
  createApiKey(input: NewApiKey): Promise<RpcAnswer<PresentedKey & { key: string }>> {
    return this[run](async (scope) => {
      const { userId, organizationId, ...properties } = validate(serverCreateInput, input, 'body')
      const owner = userId === undefined ? { organizationId: organizationId! } : { userId }
      const { key, shown } = await createKey(scope, owner, properties, null)
      return { ...presentKey(key), key: shown }
    })
  }

  /** Changes a key; with a userId only if it is that user's. */
  updateApiKey(input: ApiKeyChanges): Promise<RpcAnswer<PresentedKey>> {
    return this[run](async (scope) => {
      const { keyId, userId, ...properties } = validate(serverUpdateInput, input, 'body')
      return presentKey(await updateKey(scope, { id: keyId, server: true, userId }, properties))
    })
  }

  /** Deletes all expired keys, at most every ten seconds. */
  async deleteExpiredApiKeys(): Promise<{ success: true; error: null }> {
    await this[within](purgeExpiredKeys)
    return { success: true, error: null }
  }
}
