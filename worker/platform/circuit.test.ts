import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { timeouts } from './bounded.ts'
import { Circuit, patience, probePause } from './circuit.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const silence = () => new Promise<never>(() => {})

/** The milliseconds after which a call fails or succeeds. */
async function timed(call: Promise<unknown>): Promise<{ after: number; ended: 'answer' | 'fault' }> {
  const begun = Date.now()
  const ended = call.then(
    () => ({ after: Date.now() - begun, ended: 'answer' as const }),
    () => ({ after: Date.now() - begun, ended: 'fault' as const }),
  )
  await vi.advanceTimersByTimeAsync(timeouts.required)
  return ended
}

const start = () => {
  const circuit = new Circuit()
  const calls: string[] = []
  const call = (work: () => Promise<unknown>, isPatient = false) =>
    circuit.call(
      () => {
        calls.push('call')
        return work()
      },
      isPatient,
      (thrown) => thrown instanceof RangeError,
    )
  return { call, calls }
}

describe('a database that does not answer', () => {
  it('costs the first call less than two seconds, the next ones nothing', async () => {
    const { call, calls } = start()
    expect(await timed(call(silence))).toEqual({ after: patience, ended: 'fault' })
    expect(patience).toBeLessThan(2000)
    const probe = timed(call(silence))
    calls.length = 0
    const refused = await Promise.allSettled(Array.from({ length: 50 }, () => call(silence)))
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
    expect(calls).toEqual([])
    expect(await probe).toEqual({ after: patience, ended: 'fault' })
  })

  it('gets one call a second, and the first answer lets all calls pass', async () => {
    const { call, calls } = start()
    await timed(call(silence))
    calls.length = 0
    const waiting: Promise<unknown>[] = []
    for (let at = 0; at < 5000; at += 100) {
      waiting.push(call(silence).catch(() => {}))
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(calls.length).toBeLessThanOrEqual(5000 / probePause + 1)
    expect(calls.length).toBeGreaterThan(1)
    await vi.advanceTimersByTimeAsync(5000)
    await Promise.all(waiting)
    expect(await call(async () => 'answer')).toBe('answer')
    expect(await Promise.all([call(async () => 1), call(async () => 2)])).toEqual([1, 2])
  })

  it('has answered with an error of a statement', async () => {
    const { call } = start()
    await timed(call(silence))
    await vi.advanceTimersByTimeAsync(probePause)
    await expect(call(() => Promise.reject(new RangeError('constraint')))).rejects.toBeInstanceOf(RangeError)
    expect(await call(async () => 'answer')).toBe('answer')
  })
})

describe('a call that is slow', () => {
  it('may take the whole time if later calls are answered', async () => {
    const { call } = start()
    const slow = call(() => new Promise((resolve) => setTimeout(() => resolve('late'), timeouts.required - 1)))
    await vi.advanceTimersByTimeAsync(10)
    await call(async () => 1)
    await vi.advanceTimersByTimeAsync(timeouts.required)
    expect(await slow).toBe('late')
    expect(await call(async () => 'answer')).toBe('answer')
  })

  it('may take the whole time if it is patient', async () => {
    const { call } = start()
    expect(await timed(call(silence, true))).toEqual({ after: timeouts.required, ended: 'fault' })
    const { call: other } = start()
    const answer = () => new Promise((resolve) => setTimeout(resolve, patience + 1000))
    expect(await timed(other(answer, true))).toEqual({ after: patience + 1000, ended: 'answer' })
  })

  it('is silence if only earlier calls were answered', async () => {
    const { call } = start()
    await call(async () => 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await timed(call(silence))).toEqual({ after: patience, ended: 'fault' })
  })
})

it('an error of the connection is a fault, and later calls pass', async () => {
  const { call } = start()
  await expect(call(() => Promise.reject(new Error('connection lost')))).rejects.toMatchObject({ name: 'Fault' })
  expect(await call(async () => 'answer')).toBe('answer')
})
