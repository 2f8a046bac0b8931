import { expect, it } from 'vitest'
import type { AuthError, Result } from './auth/types.ts'
import { type BulkProgress, runBulk } from './bulk.ts'

const fine: Result<unknown> = { data: null, error: null }
const fails = (status: number, more: Partial<AuthError> = {}): Result<unknown> => ({
  data: null,
  error: { status, statusText: '', ...more },
})

const items = Array.from({ length: 12 }, (_, n) => n)

function setUp(answer: (item: number, call: number) => Result<unknown>, stopAt = Number.POSITIVE_INFINITY) {
  const calls: number[] = []
  const waits: number[] = []
  const seen: BulkProgress<number>[] = []
  const stop = new AbortController()
  let running = 0
  let most = 0
  const result = runBulk(items, {
    async send(item) {
      calls.push(item)
      const call = calls.filter((one) => one === item).length
      if (calls.length >= stopAt) stop.abort()
      running++
      most = Math.max(most, running)
      await Promise.resolve()
      running--
      return answer(item, call)
    },
    onProgress: (progress) => seen.push(progress),
    signal: stop.signal,
    wait: async (seconds) => void waits.push(seconds),
  })
  return { result, calls, waits, seen, most: () => most }
}

it('calls once for each item, few at the same time, and reports the progress', async () => {
  const { result, calls, seen, most } = setUp(() => fine)
  expect(await result).toMatchObject({ done: 12, failed: [], pausedUntil: null })
  expect(calls).toEqual(items)
  expect(most()).toBe(3)
  expect(seen.map(({ done }) => done)).toEqual([0, ...items.map((n) => n + 1)])
})

it('collects the items that failed, with the error, and goes on', async () => {
  const { result } = setUp((item) => (item % 5 === 0 ? fails(403, { code: 'NO' }) : fine))
  const { done, failed } = await result
  expect(done).toBe(12)
  expect(failed.map(({ item, error }) => [item, error.code])).toEqual([
    [0, 'NO'],
    [5, 'NO'],
    [10, 'NO'],
  ])
})

it('waits as long as the server asks for after a 429, all calls together, and repeats the item', async () => {
  const { result, calls, waits, seen } = setUp((item, call) =>
    item === 4 && call === 1 ? fails(429, { retryAfter: 7 }) : fine,
  )
  expect(await result).toMatchObject({ done: 12, failed: [] })
  expect(waits).toEqual([7])
  expect(calls.filter((one) => one === 4)).toHaveLength(2)
  expect(seen.some(({ pausedUntil }) => pausedUntil !== null)).toBe(true)
})

it('gives an item up after five attempts', async () => {
  const { result, calls } = setUp((item) => (item === 4 ? fails(503) : fine))
  const { done, failed } = await result
  expect([done, failed.map(({ item }) => item)]).toEqual([12, [4]])
  expect(calls.filter((one) => one === 4)).toHaveLength(5)
})

it('begins no call after the stop', async () => {
  const { result, calls } = setUp(() => fine, 5)
  const { done } = await result
  expect(done).toBe(calls.length)
  expect(done).toBeLessThan(8)
})

it('stops when the session has ended or is not confirmed', async () => {
  for (const refusal of [fails(401), fails(403, { code: 'SESSION_IS_NOT_FRESH' })]) {
    const { result, calls } = setUp(() => refusal)
    expect((await result).failed.map(({ item }) => item)).toEqual([0])
    expect(calls).toEqual([0])
  }
})
