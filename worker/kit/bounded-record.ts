import * as z from 'zod'

/** zod has no maximum for the entries of a record, so the functions that check one are noted here. */
const limits = new WeakMap<object, number>()

/** The maximum number of entries that a check of a record permits, or undefined for another check. */
export const keyLimitOf = (check: unknown): number | undefined =>
  typeof check === 'function' ? limits.get(check) : undefined

/** A record with a maximum number of entries, which http/lengths.ts compares before any entry is validated. */
export function boundedRecord<K extends z.core.$ZodRecordKey, V extends z.ZodType>(key: K, value: V, max: number) {
  const fits = (record: object): boolean => Object.keys(record).length <= max
  limits.set(fits, max)
  return z.record(key, value).refine(fits, `at most ${max} entries`)
}
