import type { User } from '../../identity/model/users.table.ts'
import type { AppError } from '../../kit/errors.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { days, ms } from '../../kit/time.ts'
import { keyRefusals as refusals } from './api-key.errors.ts'
import type { KeyDemand, OwnedKey } from './api-key.store.ts'
import type { ApiKey } from './api-key.table.ts'

/** Whether a user is banned. The next sign-in clears a ban that has expired. */
export const isBanned = ({ banned, banExpires }: Pick<User, 'banned' | 'banExpires'>, now: Date): boolean =>
  banned && !(banExpires !== null && banExpires <= now)

const isLimited = ({ rateLimitEnabled, rateLimitMax, rateLimitTimeWindow }: ApiKey): boolean =>
  rateLimitEnabled && rateLimitMax !== null && rateLimitTimeWindow !== null

/** Whether uses of the key are counted. */
export const isMetered = (key: ApiKey, demand: Pick<KeyDemand, 'limited'>): boolean =>
  key.remaining !== null || (demand.limited && isLimited(key))

function isRefillDue({ refillAmount, refillInterval, lastRefillAt, createdAt }: ApiKey, now: Date): boolean {
  if (refillAmount === null || refillInterval === null) return false
  return now.getTime() - (lastRefillAt ?? createdAt).getTime() > refillInterval * ms(days(1))
}

/** Milliseconds until the rate limit permits the next use. */
function waitOf({ rateLimitMax, rateLimitTimeWindow, requestCount, windowStartedAt }: ApiKey, now: Date): number {
  if (windowStartedAt === null || requestCount < rateLimitMax!) return 0
  return Math.max(0, windowStartedAt.getTime() + rateLimitTimeWindow! - now.getTime())
}

const hasAll = (held: Permissions | null, wanted: Permissions): boolean =>
  Object.entries(wanted).every(
    ([resource, actions]) =>
      held !== null && Object.hasOwn(held, resource) && actions.every((action) => held[resource]!.includes(action)),
  )

/** Why a key cannot be used now, in the order of the protocol, or null: the reason for the decision of `spendUse`. */
export function keyRefusal({ key, owner }: OwnedKey, now: Date, demand: KeyDemand): AppError | null {
  if (!key.enabled) return refusals.KEY_DISABLED()
  if (key.expiresAt !== null && key.expiresAt <= now) return refusals.KEY_EXPIRED()
  if (owner && isBanned(owner, now)) return refusals.USER_IS_BANNED()
  if (demand.ofPerson && !owner) return refusals.THE_USER_ID_FROM_THE_API_KEY_IS_INVALID()
  if (demand.permissions && !hasAll(key.permissions, demand.permissions)) return refusals.KEY_NOT_FOUND()
  if (key.remaining !== null && key.remaining <= 0 && !isRefillDue(key, now)) return refusals.USAGE_EXCEEDED()
  const tryAgainIn = demand.limited && isLimited(key) ? waitOf(key, now) : 0
  return tryAgainIn > 0 ? refusals.RATE_LIMITED({ extra: { details: { tryAgainIn } } }) : null
}

/** Whether a rejected key can never be used again. */
export const isDead = ({ expiresAt, remaining, refillAmount }: ApiKey, now: Date): boolean =>
  (expiresAt !== null && expiresAt <= now) || (remaining !== null && remaining <= 0 && refillAmount === null)
