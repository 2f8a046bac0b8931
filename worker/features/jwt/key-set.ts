import type { JWK } from 'jose'
import { minutes, ms } from '../../kit/time.ts'
import type { Algorithm } from './algorithms.ts'
import type { SigningKey } from './jwt.table.ts'

/** The rules of the key set: the signing key, the published keys, and the time of the next rotation. Without I/O. */

/** The parameters of the rules, in seconds. */
export interface KeyRules {
  rotationInterval: number | null
  /** The maximum lifetime of a token. */
  maxTokenLength: number
}

/** How long verifiers and caches may store the key set. */
export const setLifetime = minutes(5)

/**
 * An isolate reads the keys again after `refresh`, in parallel with a response. It never uses keys older than `limit`.
 */
export const cacheAge = { refresh: minutes(5), limit: minutes(10) }

/** The time between the publication and the first signature of a key, in which every verifier reads the key set. */
const lead = ({ rotationInterval }: KeyRules): number => Math.min(2 * setLifetime, (rotationInterval ?? Infinity) / 2)

/**
 * How long a key's last token can remain valid after the successor signs. An isolate learns of the successor with a
 * delay.
 */
const overlap = ({ maxTokenLength }: KeyRules): number => cacheAge.limit + maxTokenLength

/** The keys of an algorithm, newest first. */
const generations = (keys: readonly SigningKey[], alg: Algorithm): SigningKey[] =>
  keys.filter((key) => key.alg === alg).sort((a, b) => b.generation - a.generation)

export const newestKey = (keys: readonly SigningKey[], alg: Algorithm): SigningKey | undefined =>
  generations(keys, alg)[0]

/** When a key stops signing (Unix ms): when its successor signs, or when an overdue rotation had no request. */
function signsUntil(keys: readonly SigningKey[], key: SigningKey, rules: KeyRules): number {
  const successor = keys.find(({ alg, generation }) => alg === key.alg && generation === key.generation + 1)
  if (successor) return successor.signsFrom.getTime()
  if (rules.rotationInterval === null) return Infinity
  return key.signsFrom.getTime() + ms(rules.rotationInterval + overlap(rules))
}

/** Returns the key that signs now; undefined without a key, or if the replacement of all keys is long overdue. */
export function signingKey(
  keys: readonly SigningKey[],
  alg: Algorithm,
  rules: KeyRules,
  now: Date,
): SigningKey | undefined {
  const candidates = generations(keys, alg)
  // An isolate with a faster clock may have created the first key a moment ahead of this clock.
  const key = candidates.find(({ signsFrom }) => signsFrom <= now) ?? candidates.at(-1)
  return key && signsUntil(keys, key, rules) > now.getTime() ? key : undefined
}

/** Whether tokens of a key may still be valid. */
const isPublished = (keys: readonly SigningKey[], key: SigningKey, rules: KeyRules, now: Date): boolean =>
  signsUntil(keys, key, rules) + ms(overlap(rules)) > now.getTime()

export const publishedKeys = (keys: readonly SigningKey[], rules: KeyRules, now: Date): SigningKey[] =>
  keys.filter((key) => isPublished(keys, key, rules, now))

export const endedKeys = (keys: readonly SigningKey[], rules: KeyRules, now: Date): SigningKey[] =>
  keys.filter((key) => !isPublished(keys, key, rules, now))

/** Whether the newest key has signed long enough that its successor should be published. */
export const isDue = (newest: SigningKey, rules: KeyRules, now: Date): boolean =>
  rules.rotationInterval !== null &&
  now.getTime() >= newest.signsFrom.getTime() + ms(rules.rotationInterval - lead(rules))

/**
 * When the successor of `newest` starts to sign. The first key, and one after a long period without requests, signs
 * immediately.
 */
export const successorSignsFrom = (newest: SigningKey | undefined, rules: KeyRules, now: Date): Date =>
  newest ? new Date(now.getTime() + ms(lead(rules))) : now

/** A key in the published set. */
export const publicJwkOf = (key: SigningKey): JWK => {
  const { alg: _, kid: __, ...jwk } = JSON.parse(key.publicKey) as JWK
  return { alg: key.alg, ...jwk, kid: key.id }
}
