import { importJWK, type JWK } from 'jose'
import type { Scope } from '../../identity/scope.ts'
import type { Settings } from '../../identity/settings.ts'
import { open } from '../../kit/encrypt.ts'
import { faultIn } from '../../kit/errors.ts'
import { days, ms } from '../../kit/time.ts'
import { reasonOf } from '../../platform/log.ts'
import { jwtOptions } from './jwt.config.ts'
import { selectSigningKeys } from './jwt.store.ts'
import type { SigningKey } from './jwt.table.ts'
import { cacheAge, type KeyRules } from './key-set.ts'

/** The signing keys in the memory of an isolate. */

export const keyRulesOf = (scope: Scope): KeyRules => {
  const { rotationInterval, expiresIn } = jwtOptions.of(scope)
  return { rotationInterval, maxTokenLength: Math.max(expiresIn, days(1)) }
}

/** The cached keys of an isolate: values only, because a request must not await a promise of another request. */
export interface CachedKeys {
  keys: SigningKey[]
  /** Unix ms. */
  readAt: number
  /** Private keys by id, opened at their first use. */
  opened: Map<string, CryptoKey>
}

/** By settings; an isolate has one. */
const isolates = new WeakMap<Settings, CachedKeys>()

/** Stores the keys that were just read or written. */
export function remember(scope: Scope, keys: SigningKey[]): CachedKeys {
  const before = isolates.get(scope.settings)?.opened ?? new Map<string, CryptoKey>()
  const opened = new Map([...before].filter(([id]) => keys.some((key) => key.id === id)))
  const known = { keys, readAt: scope.now().getTime(), opened }
  isolates.set(scope.settings, known)
  return known
}

export const readKeys = async (scope: Scope): Promise<CachedKeys> => remember(scope, await selectSigningKeys(scope.db))

/** The keys of the database; while it does not answer, those in memory that `currentKeys` would return. */
export async function latestKeys(scope: Scope): Promise<CachedKeys> {
  try {
    return await readKeys(scope)
  } catch (thrown) {
    const known = isolates.get(scope.settings)
    if (!known || !faultIn(thrown) || scope.now().getTime() - known.readAt >= ms(cacheAge.limit)) throw thrown
    return known
  }
}

/** Returns the keys from the isolate's memory while they are fresh. Under traffic, no request waits for D1. */
export async function currentKeys(scope: Scope): Promise<CachedKeys> {
  const known = isolates.get(scope.settings)
  const age = known ? scope.now().getTime() - known.readAt : Infinity
  if (!known || age >= ms(cacheAge.limit)) return readKeys(scope)
  if (age >= ms(cacheAge.refresh)) scope.after(() => readKeys(scope), 'nothing')
  return known
}

/** Public keys that are imported, by their rows in memory. */
const imported = new WeakMap<SigningKey, CryptoKey>()

/** The public key of a row, imported once while it is in memory. */
export async function publicKeyOf(key: SigningKey): Promise<CryptoKey> {
  const known = imported.get(key)
  if (known) return known
  const publicKey = (await importJWK(JSON.parse(key.publicKey) as JWK, key.alg)) as CryptoKey
  imported.set(key, publicKey)
  return publicKey
}

/** The private key, decrypted once per isolate; null if no configured secret can decrypt it. */
export async function openKey(scope: Scope, { opened }: CachedKeys, key: SigningKey): Promise<CryptoKey | null> {
  const known = opened.get(key.id)
  if (known) return known
  let text: string
  try {
    text = await open(scope.settings.secrets, key.privateKey)
  } catch (thrown) {
    scope.log('error', 'signing-key-unreadable', { kid: key.id, reason: reasonOf(thrown) })
    return null
  }
  const privateKey = (await importJWK(JSON.parse(text) as JWK, key.alg)) as CryptoKey
  opened.set(key.id, privateKey)
  return privateKey
}
