import { minutes, ms } from '../../kit/time.ts'

/**
 * What this isolate remembers of keys, by their hash: values that only save round trips. Nothing is let in, and none
 * that exists is kept out, on the strength of it alone.
 */

const most = 10_000

/** A map that forgets its oldest entry when it is full. */
function remember<T>(map: Map<string, T>, hash: string, value: T): void {
  map.delete(hash)
  if (map.size >= most) map.delete(map.keys().next().value!)
  map.set(hash, value)
}

/** Keys that the primary database does not know, until when (ms). A key is random: it does not come into being later. */
const unknown = new Map<string, number>()
const unknownFor = ms(minutes(10))

export const rememberUnknown = (hash: string, now: Date): void => remember(unknown, hash, now.getTime() + unknownFor)
export const isKnownUnknown = (hash: string, now: Date): boolean => (unknown.get(hash) ?? 0) > now.getTime()

/** Keys that had neither quota nor limit when they were last seen, and when (ms) their last use was last written. */
const unmetered = new Map<string, number>()

export const rememberUnmetered = (hash: string, touched: number): void => remember(unmetered, hash, touched)
export const seemsUnmetered = (hash: string): boolean => unmetered.has(hash)
export const lastTouched = (hash: string): number => unmetered.get(hash) ?? 0
export const forgetUnmetered = (hash: string): void => void unmetered.delete(hash)
