import { validate } from '../../http/body.ts'
import { Operations, type Portable, type RpcAnswer, run, within } from '../../http/operations.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { keyRefusals } from './api-key.errors.ts'
import {
  type ApiKeyChanges,
  type NewApiKey,
  serverCreateInput,
  serverUpdateInput,
  verifyInput,
} from './key-properties.ts'
import { createKey, purgeExpiredKeys, updateKey } from './manage.ts'
import { type PresentedKey, presentKey } from './present-key.ts'
import { refused, type Verification, verifyKey } from './verify.ts'

export class ApiKeyOperations extends Operations {
  /**
   * Whether a key may be used once more, for something that asks for these permissions, and uses it. A refusal is an
   * ordinary answer: INVALID_API_KEY, KEY_NOT_FOUND (permissions that it has not), KEY_DISABLED, KEY_EXPIRED,
   * USER_IS_BANNED, USAGE_EXCEEDED, RATE_LIMITED (`details.tryAgainIn` in milliseconds).
   */
  async verifyApiKey(input: { key: string; permissions?: Permissions }): Promise<Portable<Verification>> {
    const { success, data } = verifyInput.safeParse(input)
    if (!success) return refused(keyRefusals.INVALID_API_KEY()) as Portable<Verification>
    const verified = await this[within]((scope) => verifyKey(scope, data.key, data.permissions), { near: true })
    return verified as Portable<Verification>
  }

  /** Makes a key of a person or of an organization, with whatever properties only servers may set. */
  createApiKey(input: NewApiKey): Promise<RpcAnswer<PresentedKey & { key: string }>> {
    return this[run](async (scope) => {
      const { userId, organizationId, ...properties } = validate(serverCreateInput, input, 'body')
      const owner = userId === undefined ? { organizationId: organizationId! } : { userId }
      const { key, shown } = await createKey(scope, owner, properties, null)
      return { ...presentKey(key), key: shown }
    })
  }

  /** Changes a key; with a userId only if it is that person's. */
  updateApiKey(input: ApiKeyChanges): Promise<RpcAnswer<PresentedKey>> {
    return this[run](async (scope) => {
      const { keyId, userId, ...properties } = validate(serverUpdateInput, input, 'body')
      return presentKey(await updateKey(scope, { id: keyId, server: true, userId }, properties))
    })
  }

  /** Deletes all keys that have expired; at most every ten seconds. */
  async deleteExpiredApiKeys(): Promise<{ success: true; error: null }> {
    await this[within](purgeExpiredKeys)
    return { success: true, error: null }
  }
}
