import { limitExactly } from '../../http/edge/rate-limit.ts'
import { serverErrors as errors } from '../../http/server.errors.ts'
import type { Scope } from '../../identity/scope.ts'
import { BoundedMap } from '../../kit/bounded-map.ts'
import { sha256 } from '../../kit/hash.ts'
import { hasKeyForm } from '../../kit/key-form.ts'
import type { ServerPermission } from '../../kit/server-permissions.ts'
import { minutes, ms } from '../../kit/time.ts'
import { addressBucket, isAddressIn } from '../../platform/client-address.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import { findServerKey } from './known-server-keys.ts'
import { serverKeyLength, serverKeyPrefix } from './new-server-key.ts'
import { serverKeyOptions } from './server-keys.config.ts'
import * as store from './server-keys.store.ts'
import type { ServerKey } from './server-keys.table.ts'

/** Requests of one address with keys that do not exist: an exact guess is impossible, but each one costs a read. */
const unknownKeys: CounterRule = { max: 30, window: minutes(1) }

/** Verifies the key of a request: form, row, expiry, address, permission, limit. */
export async function requireServerKey(scope: Scope, permission: ServerPermission): Promise<void> {
  const shown = bearerOf(scope.request.headers)
  if (shown === null) throw errors.SERVER_KEY_REQUIRED()
  // A text without the checksum is rejected without a read.
  if (!isServerKey(shown)) throw errors.INVALID_SERVER_KEY()
  const key = await findServerKey(scope, sha256(shown))
  if (!key) {
    await limitExactly(scope, `unknown-server-key:${addressBucket(scope.request.ip)}`, unknownKeys)
    throw errors.INVALID_SERVER_KEY()
  }
  const now = scope.now()
  if (key.expiresAt !== null && key.expiresAt <= now) throw errors.SERVER_KEY_EXPIRED()
  if (key.addresses.length > 0 && !isAddressIn(scope.request.ip, key.addresses)) {
    throw errors.SERVER_KEY_ADDRESS_NOT_ALLOWED()
  }
  if (!key.permissions.includes(permission)) throw errors.SERVER_KEY_PERMISSION_MISSING({ extra: { permission } })
  await limitExactly(scope, `server-key:${key.id}`, serverKeyOptions.of(scope).rateLimit)
  touch(scope, key, now)
  scope.auditing.serverKey = { id: key.id, name: key.name }
}

function bearerOf(headers: Headers): string | null {
  const [scheme, token] = (headers.get('authorization') ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' && token ? token : null
}

const isServerKey = (text: string): boolean =>
  text.length === serverKeyPrefix.length + serverKeyLength && text.startsWith(serverKeyPrefix) && hasKeyForm(text)

/** The last writes of `lastUsedAt` (ms) by key in this isolate. */
const touched = new BoundedMap<string, number>(1000)

/** Writes the last use after the response, at most once a minute. */
function touch(scope: Scope, { id, lastUsedAt }: ServerKey, now: Date): void {
  const minuteAgo = now.getTime() - ms(minutes(1))
  if (Math.max(touched.get(id) ?? 0, lastUsedAt?.getTime() ?? 0) > minuteAgo) return
  touched.set(id, now.getTime())
  scope.after(() => store.touchServerKey(scope.db, id, now, new Date(minuteAgo)).run())
}
