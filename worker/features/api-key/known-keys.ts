import { BoundedMap } from '../../kit/bounded-map.ts'
import { minutes, ms } from '../../kit/time.ts'

/** Cached facts about keys, by hash, to save round trips. The cache accepts no key and rejects no existing one. */

const maxEntries = 10_000

/** Keys that do not exist, with the expiry of this entry (ms). A random key is not created later. */
const unknown = new BoundedMap<string, number>(maxEntries)
const unknownFor = ms(minutes(10))

export const rememberUnknown = (hash: string, now: Date): void => void unknown.set(hash, now.getTime() + unknownFor)
export const isKnownUnknown = (hash: string, now: Date): boolean => (unknown.get(hash) ?? 0) > now.getTime()

/** Keys without quota and limit at their last use, with the time (ms) of the last write of `lastRequest`. */
const unmetered = new BoundedMap<string, number>(maxEntries)

export const rememberUnmetered = (hash: string, touched: number): void => void unmetered.set(hash, touched)
export const seemsUnmetered = (hash: string): boolean => unmetered.has(hash)
export const lastTouched = (hash: string): number => unmetered.get(hash) ?? 0
export const forgetUnmetered = (hash: string): void => void unmetered.delete(hash)
