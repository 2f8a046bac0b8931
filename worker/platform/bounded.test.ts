import { afterEach, describe, expect, it, vi } from 'vitest'
import { Fault } from '../kit/errors.ts'
import { bounded, timeouts } from './bounded.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('bounded', () => {
  it('hands on what the work answers', async () => {
    expect(await bounded('D1', timeouts.required, async () => 7)).toBe(7)
  })

  it('is a fault as soon as the work takes longer than it may', async () => {
    vi.useFakeTimers()
    const waiting = bounded('KV', timeouts.optional, () => new Promise(() => {}))
    const outcome = expect(waiting).rejects.toMatchObject({
      what: 'KV',
      cause: { message: 'no answer within 1000 ms' },
    })
    await vi.advanceTimersByTimeAsync(timeouts.optional)
    await outcome
  })

  it('is a fault with the cause when the work fails, but for what is let through', async () => {
    const failing = () => Promise.reject(new Error('constraint failed'))
    await expect(bounded('D1', 1000, failing)).rejects.toBeInstanceOf(Fault)
    await expect(bounded('D1', 1000, failing, () => true)).rejects.not.toBeInstanceOf(Fault)
  })
})
