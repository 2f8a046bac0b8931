import { isForbidden } from '../../identity/registry.ts'
import type { Scope } from '../../identity/scope.ts'
import { AppError, faultIn } from '../../kit/errors.ts'
import { sha256 } from '../../kit/hash.ts'
import { hasKeyForm } from '../../kit/key-form.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { minutes, ms } from '../../kit/time.ts'
import { type Reads, type Rows, read } from '../../platform/statements.ts'
import { apiKeyOptions, maxKeyLength } from './api-key.config.ts'
import { keyRefusals as refusals } from './api-key.errors.ts'
import * as store from './api-key.store.ts'
import { type PresentedKey, presentKey } from './key-properties.ts'
import { isDead, isMetered, keyRefusal } from './key-state.ts'
import * as known from './known-keys.ts'
import { forgetKey, isCurrent, isRemembered, knownKey, knownKeyInOutage, rememberKey } from './verdicts.ts'

/** A use of a key before its reads have run. */
export interface KeyUse<R extends Reads = Reads> {
  hash: string
  reads: R
  /** Interprets the rows; see `takeKey`. */
  judge(rows: Rows<R>): Promise<store.OwnedKey | AppError>
}

const defineUse = <R extends Reads>(use: KeyUse<R>): KeyUse => use

export type RequestedUse = Omit<store.KeyDemand, 'limited'>

/**
 * Prepares the use of a key. A text that cannot be a key (length, cache, checksum) is rejected without a query.
 * @param mayLag whether a remembered key is enough
 */
export function prepareUse(scope: Scope, shown: string, asked: RequestedUse, mayLag: boolean): KeyUse | AppError {
  const { defaultKeyLength, checksum, rateLimit } = apiKeyOptions.of(scope)
  if (shown.length < defaultKeyLength) return refusals.TOO_SHORT()
  if (shown.length > maxKeyLength || (checksum && !hasKeyForm(shown))) return refusals.INVALID_API_KEY()
  const hash = sha256(shown)
  const now = scope.now()
  if (known.isKnownUnknown(hash, now)) return refusals.INVALID_API_KEY()
  const demand = { ...asked, limited: rateLimit.enabled }
  if (mayLag && isRemembered(scope, hash)) return remembered(scope, hash, now, demand)
  // A key without quota and limit is only read, which a replica may answer; the others are counted by a statement.
  return known.seemsUnmetered(hash) ? readOnly(scope, hash, now, demand) : counted(scope, hash, now, demand)
}

/** A key follows the rules of organizations for the session that created it (decision 246). */
function forbiddenRead(scope: Scope, hash: string) {
  const forbidden = isForbidden(scope, store.credentialOfKey)
  return (forbidden ? { forbidden: store.forbiddenKey(scope.db, hash, forbidden) } : {}) as {
    forbidden: ReturnType<typeof store.forbiddenKey>
  }
}

/** The statement that uses the key once, if it may be used, and the key afterwards. */
const counted = (scope: Scope, hash: string, now: Date, demand: store.KeyDemand): KeyUse =>
  defineUse({
    hash,
    reads: {
      ...forbiddenRead(scope, hash),
      used: store.spendUse(scope.db, hash, now, demand),
      keys: store.keyByHash(scope.db, hash),
    },
    async judge({ forbidden = [], used, keys: [owned] }) {
      if (!owned) {
        known.rememberUnknown(hash, now)
        return refusals.INVALID_API_KEY()
      }
      if (forbidden.length > 0) return refusals.KEY_FORBIDDEN_BY_ORGANIZATION()
      if (used.length === 0) return refuse(scope, owned, now, demand)
      if (!isMetered(owned.key, demand)) {
        known.rememberUnmetered(hash, now.getTime())
        rememberKey(scope, hash, owned, now)
      }
      return owned
    },
  })

/** The key without a write. If the key has received a quota or a limit since the last read, the use is counted. */
const readOnly = (scope: Scope, hash: string, now: Date, demand: store.KeyDemand): KeyUse =>
  defineUse({
    hash,
    reads: { ...forbiddenRead(scope, hash), keys: store.keyByHash(scope.db, hash) },
    async judge({ forbidden = [], keys: [owned] }) {
      // A replica may return a key as it was before a change, which only the feed knows.
      if (scope.io.readsReplica && owned && !(await isCurrent(scope, owned))) {
        scope.io.readPrimary()
        return decide(scope, readOnly(scope, hash, now, demand))
      }
      if (!owned || isMetered(owned.key, demand)) {
        known.forgetUnmetered(hash)
        forgetKey(scope, hash)
        return decide(scope, counted(scope, hash, now, demand))
      }
      if (forbidden.length > 0) return refusals.KEY_FORBIDDEN_BY_ORGANIZATION()
      if (keyRefusal(owned, now, demand)) return refuse(scope, owned, now, demand)
      touch(scope, owned, hash, now)
      rememberKey(scope, hash, owned, now)
      return owned
    },
  })

/** The key from memory, or from the database, or from a longer memory while the database does not answer. */
const remembered = (scope: Scope, hash: string, now: Date, demand: store.KeyDemand): KeyUse =>
  defineUse({
    hash,
    reads: {},
    async judge() {
      const owned = await knownKey(scope, hash)
      if (owned) return keyRefusal(owned, now, demand) ? refuse(scope, owned, now, demand) : owned
      try {
        return await decide(scope, readOnly(scope, hash, now, demand))
      } catch (thrown) {
        const kept = faultIn(thrown) ? await knownKeyInOutage(scope, hash) : null
        if (!kept) throw thrown
        return keyRefusal(kept, now, demand) ?? kept
      }
    },
  })

const decide = async (scope: Scope, use: KeyUse) => use.judge(await read(scope.db, use.reads))

/** The error of a rejected key. A key that can never be used again is deleted after the response. */
function refuse(scope: Scope, owned: store.OwnedKey, now: Date, demand: store.KeyDemand): AppError {
  if (isDead(owned.key, now)) scope.after(() => store.deleteDeadKey(scope.db, owned.key.id, now).run())
  return keyRefusal(owned, now, demand) ?? refusals.FAILED_TO_UPDATE_API_KEY()
}

/** Writes the last use of an uncounted key after the response, at most once a minute. */
function touch(scope: Scope, { key }: store.OwnedKey, hash: string, now: Date): void {
  const minuteAgo = now.getTime() - ms(minutes(1))
  const last = Math.max(known.lastTouched(hash), key.lastRequest?.getTime() ?? 0)
  if (last > minuteAgo) return
  known.rememberUnmetered(hash, now.getTime())
  scope.after(() => store.touchKey(scope.db, key.id, now, new Date(minuteAgo)).run(), 'nothing')
}

/** Uses a key once. @returns the key after the use with its owner, or the error */
async function takeKey(scope: Scope, shown: string, asked: RequestedUse): Promise<store.OwnedKey | AppError> {
  const use = prepareUse(scope, shown, asked, true)
  return use instanceof AppError ? use : decide(scope, use)
}

/** A rejection is a normal result. */
export type KeyVerification =
  | { valid: true; error: null; key: PresentedKey }
  | { valid: false; error: { message: string; code: string; details?: { tryAgainIn: number } }; key: null }

/** Verifies and uses a key once. */
export async function verifyKey(scope: Scope, shown: string, permissions?: Permissions): Promise<KeyVerification> {
  const wanted = permissions && Object.keys(permissions).length > 0 ? permissions : undefined
  const found = await takeKey(scope, shown, { permissions: wanted, ofPerson: false })
  return found instanceof AppError ? refused(found) : { valid: true, error: null, key: presentKey(found.key) }
}

export const refused = ({ message, code, options }: AppError): KeyVerification => ({
  valid: false,
  error: { message, code, ...options.extra },
  key: null,
})
