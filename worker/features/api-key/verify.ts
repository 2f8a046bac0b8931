import type { Scope } from '../../identity/scope.ts'
import { AppError } from '../../kit/errors.ts'
import { sha256 } from '../../kit/hash.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { minutes, ms } from '../../kit/time.ts'
import type { Statement } from '../../platform/statements.ts'
import { apiKeyOptions, longestKey } from './api-key.config.ts'
import { keyRefusals as refusals } from './api-key.errors.ts'
import * as store from './api-key.store.ts'
import { hasKeyForm } from './key-form.ts'
import * as known from './known-keys.ts'
import { type PresentedKey, presentKey } from './present-key.ts'
import { isDead, isMetered, refusalOf } from './verdict.ts'

/** A use of a key that is yet to be decided: in one round trip, by itself or with statements of others. */
export interface KeyUse {
  hash: string
  statements: readonly Statement[]
  /** Runs them by themselves, faster. */
  run(): Promise<readonly unknown[]>
  /** What the statements' results mean; see `takeKey`. */
  judge(results: readonly unknown[]): Promise<store.OwnedKey | AppError>
}

/** Whose use is asked for, and for what. */
export type Asked = Omit<store.KeyDemand, 'limited'>

/**
 * Prepares the use of a key that somebody shows. What is too short or too long for one, or known not to be one, is
 * refused without asking the database; by configuration also what has not the form of ours.
 */
export function prepareUse(scope: Scope, shown: string, asked: Asked): KeyUse | AppError {
  const { defaultKeyLength, checksum, rateLimit } = apiKeyOptions.of(scope)
  if (shown.length < defaultKeyLength) return refusals.TOO_SHORT()
  if (shown.length > longestKey || (checksum && !hasKeyForm(shown))) return refusals.INVALID_API_KEY()
  const hash = sha256(shown)
  const now = scope.now()
  if (known.isKnownUnknown(hash, now)) return refusals.INVALID_API_KEY()
  const demand = { ...asked, limited: rateLimit.enabled }
  // A key without quota and limit is only read, which a replica may answer; the others are counted by a statement.
  return known.seemsUnmetered(hash) ? readOnly(scope, hash, now, demand) : counted(scope, hash, now, demand)
}

/** The statement that uses the key once, if it may be used, and the key as it is afterwards. */
function counted(scope: Scope, hash: string, now: Date, demand: store.KeyDemand): KeyUse {
  return {
    hash,
    get statements() {
      return [store.spendUse(scope.db, hash, now, demand), store.keyByHash(scope.db, hash)]
    },
    run: () => store.takeUse(scope.db, hash, now, demand),
    async judge([used, rows]) {
      const [found] = rows as store.OwnedKey[]
      if (!found) {
        known.rememberUnknown(hash, now)
        return refusals.INVALID_API_KEY()
      }
      const owned = withOwner(found)
      if ((used as unknown[]).length === 0) return refuse(scope, owned, now, demand)
      if (!isMetered(owned.key, demand)) known.rememberUnmetered(hash, now.getTime())
      return owned
    },
  }
}

/** The key as it is read; when it has got a quota or a limit since it was last seen, the use is counted after all. */
function readOnly(scope: Scope, hash: string, now: Date, demand: store.KeyDemand): KeyUse {
  return {
    hash,
    get statements() {
      return [store.keyByHash(scope.db, hash)]
    },
    run: async () => [await store.readKey(scope.db, hash)],
    async judge([rows]) {
      const [found] = rows as store.OwnedKey[]
      if (!found || isMetered(found.key, demand)) {
        known.forgetUnmetered(hash)
        return decide(counted(scope, hash, now, demand))
      }
      const owned = withOwner(found)
      if (refusalOf(owned, now, demand)) return refuse(scope, owned, now, demand)
      touch(scope, owned, hash, now)
      return owned
    },
  }
}

const decide = async (use: KeyUse) => use.judge(await use.run())

/** A joined row of nulls is nobody. */
const withOwner = ({ key, owner }: store.OwnedKey): store.OwnedKey => ({ key, owner: owner?.id ? owner : null })

/** Why the key was not taken. One that can never be used again is deleted; the answer does not wait for that. */
function refuse(scope: Scope, owned: store.OwnedKey, now: Date, demand: store.KeyDemand): AppError {
  if (isDead(owned.key, now)) scope.after(() => store.deleteDeadKey(scope.db, owned.key.id, now).run())
  return refusalOf(owned, now, demand) ?? refusals.FAILED_TO_UPDATE_API_KEY()
}

/** Of a key that is only read the last use is written after the answer, at most once a minute. */
function touch(scope: Scope, { key }: store.OwnedKey, hash: string, now: Date): void {
  const minuteAgo = now.getTime() - ms(minutes(1))
  const last = Math.max(known.lastTouched(hash), key.lastRequest?.getTime() ?? 0)
  if (last > minuteAgo) return
  known.rememberUnmetered(hash, now.getTime())
  scope.after(() => store.touchKey(scope.db, key.id, now, new Date(minuteAgo)).run())
}

/** Takes a key for one use. @returns the key as it is afterwards with its owner, or why it was not taken */
export async function takeKey(scope: Scope, shown: string, asked: Asked): Promise<store.OwnedKey | AppError> {
  const use = prepareUse(scope, shown, asked)
  return use instanceof AppError ? use : decide(use)
}

/** A refusal is an ordinary answer here. */
export type Verification =
  | { valid: true; error: null; key: PresentedKey }
  | { valid: false; error: { message: string; code: string; details?: { tryAgainIn: number } }; key: null }

/** Whether a key may be used once more, with these permissions, and uses it. */
export async function verifyKey(scope: Scope, shown: string, permissions?: Permissions): Promise<Verification> {
  const wanted = permissions && Object.keys(permissions).length > 0 ? permissions : undefined
  const found = await takeKey(scope, shown, { permissions: wanted, ofPerson: false })
  return found instanceof AppError ? refused(found) : { valid: true, error: null, key: presentKey(found.key) }
}

export const refused = ({ message, code, options }: AppError): Verification => ({
  valid: false,
  error: { message, code, ...options.extra },
  key: null,
})
