import { BoundedMap } from '../kit/bounded-map.ts'
import { ms } from '../kit/time.ts'
import type { CounterAnswer, CounterRule } from './durable/counter-rule.ts'
import type { KeyValue } from './kv.ts'

interface Counted {
  key: string
  count: number
  windowStart: number
  lastRequest: number
}

const inIsolate = new BoundedMap<string, Counted>(20_000)

/** For tests: all addresses have an unused limit. */
export const forgetCounts = (): void => inIsolate.clear()

const retryAfter = (record: Counted, rule: CounterRule, now: number) =>
  Math.max(1, Math.ceil((record.windowStart + ms(rule.window) - now) / 1000))

/** Counts in this isolate's memory, reads KV at half of the limit and writes above it: usual requests cost no I/O. */
export async function countInIsolate(
  kv: KeyValue,
  key: string,
  rule: CounterRule,
  now: number,
  after: (work: Promise<unknown>) => void,
): Promise<CounterAnswer> {
  let record = inIsolate.get(key)
  if (!record || now - record.windowStart >= ms(rule.window)) {
    record = { key, count: 0, windowStart: now, lastRequest: now }
    inIsolate.set(key, record)
  }
  if (record.count < rule.max) {
    record.count++
    record.lastRequest = now
    if (record.count === Math.ceil(rule.max / 2) && rule.max > 10) {
      const elsewhere = await kv.get<Counted>(`rate-limit:${key}`)
      if (elsewhere && now - elsewhere.windowStart < ms(rule.window)) Object.assign(record, elsewhere)
    }
    if (record.count <= rule.max)
      return { allowed: true, count: record.count, retryAfter: retryAfter(record, rule, now) }
  }
  if (record.count === rule.max) {
    record.count++
    after(kv.put(`rate-limit:${key}`, record, rule.window))
  }
  return { allowed: false, count: rule.max, retryAfter: retryAfter(record, rule, now) }
}

/** Counts in D1 with one statement. */
export async function countInDatabase(
  db: D1Database,
  key: string,
  rule: CounterRule,
  now: number,
): Promise<CounterAnswer> {
  const oldest = now - ms(rule.window)
  const record = await db
    .prepare(
      `insert into rate_limits (key, count, window_start, last_request) values (?1, 1, ?2, ?2)
       on conflict (key) do update set
         count = case when window_start <= ?3 then 1 else count + 1 end,
         window_start = case when window_start <= ?3 then ?2 else window_start end,
         last_request = ?2
       returning key, count, window_start as windowStart, last_request as lastRequest`,
    )
    .bind(key, now, oldest)
    .first<Counted>()
  const { count } = record!
  return { allowed: count <= rule.max, count, retryAfter: retryAfter(record!, rule, now) }
}

/** Deletes counts of windows that ended long ago. */
export const deleteOldCounts = (db: D1Database, before: number) =>
  db.prepare('delete from rate_limits where last_request < ?1').bind(before).run()
