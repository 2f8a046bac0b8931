import type { JWK } from 'jose'
import { minutes, ms } from '../../kit/time.ts'
import type { Algorithm } from './algorithms.ts'
import type { SigningKey } from './jwt.table.ts'

/** The rules of the key set: which key signs, which are published, and when the next one is due. Nothing is read here. */

/** What the rules depend on, in seconds. */
export interface KeyRules {
  rotationInterval: number | null
  /** The longest that a token may live. */
  longestToken: number
}

/** Verifiers, and caches in between, may keep the key set for this long. */
export const setLifetime = minutes(5)

/** An isolate reads the keys again after `refresh`, besides an answer; it never uses what is older than `limit`. */
export const cacheAge = { refresh: minutes(5), limit: minutes(10) }

/** Between its publication and its first signature a key has the time to reach every verifier. */
const lead = ({ rotationInterval }: KeyRules): number => Math.min(2 * setLifetime, (rotationInterval ?? Infinity) / 2)

/** How long a key's last token can live on after its successor signs: an isolate learns of that with a delay. */
const overlap = ({ longestToken }: KeyRules): number => cacheAge.limit + longestToken

/** The keys of an algorithm, the newest first. */
const generations = (keys: readonly SigningKey[], alg: Algorithm): SigningKey[] =>
  keys.filter((key) => key.alg === alg).sort((a, b) => b.generation - a.generation)

export const newestKey = (keys: readonly SigningKey[], alg: Algorithm): SigningKey | undefined =>
  generations(keys, alg)[0]

/** When nobody has signed with a key any more (Unix ms): its successor does, or it was due long ago and nobody asked. */
function signsUntil(keys: readonly SigningKey[], key: SigningKey, rules: KeyRules): number {
  const successor = keys.find(({ alg, generation }) => alg === key.alg && generation === key.generation + 1)
  if (successor) return successor.signsFrom.getTime()
  if (rules.rotationInterval === null) return Infinity
  return key.signsFrom.getTime() + ms(rules.rotationInterval + overlap(rules))
}

/** The key that signs now; undefined when there is none, or only such as should have been replaced long ago. */
export function signingKey(
  keys: readonly SigningKey[],
  alg: Algorithm,
  rules: KeyRules,
  now: Date,
): SigningKey | undefined {
  const candidates = generations(keys, alg)
  // Of a key that an isolate with a faster clock has just made as the first, it may still be a moment too early.
  const key = candidates.find(({ signsFrom }) => signsFrom <= now) ?? candidates.at(-1)
  return key && signsUntil(keys, key, rules) > now.getTime() ? key : undefined
}

/** Whether tokens that a key has signed may still be alive. */
const isPublished = (keys: readonly SigningKey[], key: SigningKey, rules: KeyRules, now: Date): boolean =>
  signsUntil(keys, key, rules) + ms(overlap(rules)) > now.getTime()

export const publishedKeys = (keys: readonly SigningKey[], rules: KeyRules, now: Date): SigningKey[] =>
  keys.filter((key) => isPublished(keys, key, rules, now))

export const endedKeys = (keys: readonly SigningKey[], rules: KeyRules, now: Date): SigningKey[] =>
  keys.filter((key) => !isPublished(keys, key, rules, now))

/** Whether the newest key has signed for so long that its successor should be published. */
export const isDue = (newest: SigningKey, rules: KeyRules, now: Date): boolean =>
  rules.rotationInterval !== null &&
  now.getTime() >= newest.signsFrom.getTime() + ms(rules.rotationInterval - lead(rules))

/** When the successor of `newest` begins to sign. The first key, and one after a long silence, signs at once. */
export const successorSignsFrom = (newest: SigningKey | undefined, rules: KeyRules, now: Date): Date =>
  newest ? new Date(now.getTime() + ms(lead(rules))) : now

/** A key as the set shows it. */
export const presentKey = (key: SigningKey): JWK => {
  const { alg: _, kid: __, ...jwk } = JSON.parse(key.publicKey) as JWK
  return { alg: key.alg, ...jwk, kid: key.id }
}
