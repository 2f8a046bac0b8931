import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { hashCeiling } from './hash-ceiling.ts'

describe('the ceiling of hashes', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** How many of several concurrent requests have been admitted, and the results of the others. */
  function rush(perMinute: number, requests: number) {
    const ceiling = hashCeiling(perMinute)
    const state = { admitted: 0, refused: [] as unknown[] }
    for (let n = 0; n < requests; n++) {
      ceiling.admit().then(
        () => state.admitted++,
        (thrown) => state.refused.push(thrown),
      )
    }
    return { ceiling, state }
  }

  it('admits a burst at once, lets some wait for their turn, and refuses the rest with a pause', async () => {
    const { ceiling, state } = rush(60, 30)
    await vi.advanceTimersByTimeAsync(0)
    expect(state.admitted).toBe(10)
    expect(state.refused).toHaveLength(15)
    expect(state.refused[0]).toMatchObject({ name: 'Fault', pause: 6 })
    await vi.advanceTimersByTimeAsync(2000)
    expect(state.admitted).toBe(12)
    await vi.advanceTimersByTimeAsync(3000)
    expect(state.admitted).toBe(15)
    // The queue is empty: one hash per second.
    await vi.advanceTimersByTimeAsync(1000)
    await ceiling.admit()
  })

  it.each([1000, 12_000, 600_000])('admits again at once after the clock was set back by %i ms', async (shift) => {
    const { ceiling, state } = rush(60, 12)
    vi.setSystemTime(Date.now() - shift)
    ceiling.admit().then(() => state.admitted++)
    await vi.advanceTimersByTimeAsync(0)
    expect(state.admitted).toBe(11)
  })
})

describe('a clock that is set back', () => {
  it('does not delay requests', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    const ceiling = hashCeiling(60)
    await ceiling.admit()
    vi.useRealTimers()
    await expect(ceiling.admit()).resolves.toBeUndefined()
  })
})

describe('account.hashesPerMinute', () => {
  const unlimited = { rateLimit: { enabled: false } }

  it('503 with Retry-After above it, for every password; a guess that was not judged is given back', async () => {
    // One immediately, the next in 10 seconds.
    const app = new TestApp({ ...unlimited, account: { hashesPerMinute: 6 }, passwordGuesses: { max: 2 } })
    await signUp(app, alice)
    const device = app.device()
    for (let n = 0; n < 4; n++) {
      const { status, body, headers } = await device.post('/sign-in/email', alice)
      expect({ status, code: body.code, retryAfter: Number(headers.get('retry-after')) }).toEqual({
        status: 503,
        code: 'UNAVAILABLE',
        retryAfter: expect.any(Number),
      })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(5)
    }
    const another = await device.post('/sign-up/email', { ...alice, email: 'bob@example.com' })
    expect(another).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    const later = new TestApp({ ...unlimited, passwordGuesses: { max: 2 } })
    expect((await later.device().post('/sign-in/email', alice)).status).toBe(200)
  })
})
