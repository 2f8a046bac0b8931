import { afterEach, describe, expect, it, vi } from 'vitest'
import { sha256 } from '../../kit/hash.ts'
import { newKey } from '../../kit/key-form.ts'
import { alter, rowOf, serverKey, verify } from '../../testing/api-keys.ts'
import { TestApp } from '../../testing/harness.ts'
import { someone } from '../../testing/organizations.ts'
import { count, deleteRows } from '../../testing/rows.ts'
import { banUsers, deleteUsers } from '../../testing/states.ts'

// Tests change rows directly. verdicts.test.ts has the keys that are remembered.
const unlimited = { rateLimit: { enabled: false }, apiKey: { cache: { enabled: false } } }
const day = 86_400_000

const owner = async (config: object = unlimited) => {
  const app = new TestApp(config)
  const { id } = await someone(app, 'Alice')
  return { app, userId: id }
}

afterEach(() => vi.useRealTimers())

const clock = () => vi.useFakeTimers({ toFake: ['Date'] })
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

const plain = { rateLimitEnabled: false }

describe('verifying a key', () => {
  it('valid: the current key, with its use counted, in one round trip', async () => {
    const { app, userId } = await owner()
    const made = await serverKey(app, { userId }, { name: 's', remaining: 2, refillAmount: 10, refillInterval: 1 })
    const { d1, code, ...answer } = await verify(app, made.key)
    expect(answer).toMatchObject({
      valid: true,
      error: null,
      key: { id: made.id, name: 's', userId, remaining: 1, requestCount: 1, refillAmount: 10, lastRefillAt: null },
    })
    expect(answer.key!.lastRequest).toBeInstanceOf(Date)
    expect(Object.keys(answer.key!)).not.toContain('keyHash')
    expect(d1).toBe(1)
  })

  it('an unknown key costs one round trip, once; with checksum a malformed one none', async () => {
    const { app, userId } = await owner({ ...unlimited, apiKey: { checksum: true } })
    const { key } = await serverKey(app, { userId })
    const unknown = newKey('', 64)
    expect(await verify(app, unknown)).toMatchObject({
      valid: false,
      error: { message: 'Invalid API key.', code: 'INVALID_API_KEY' },
      key: null,
      d1: 1,
    })
    expect(await verify(app, unknown)).toMatchObject({ code: 'INVALID_API_KEY', d1: 0 })
    for (const wrong of ['', 'short', key.slice(1), `${key}x`, key.toLowerCase(), 'ü'.repeat(64), 'x'.repeat(10_000)]) {
      expect(await verify(app, wrong)).toMatchObject({ code: 'INVALID_API_KEY', d1: 0 })
    }
  })

  it('imported keys need no checksum; an unknown key costs one round trip, once', async () => {
    const { app, userId } = await owner()
    const { id } = await serverKey(app, { userId })
    await alter(id, { keyHash: sha256('x'.repeat(64)) })
    expect((await verify(app, 'x'.repeat(64))).valid).toBe(true)
    expect(await verify(app, 'y'.repeat(64))).toMatchObject({ code: 'INVALID_API_KEY', d1: 1 })
    for (const wrong of ['short', 'y'.repeat(64), 'x'.repeat(10_000)]) {
      expect(await verify(app, wrong)).toMatchObject({ code: 'INVALID_API_KEY', d1: 0 })
    }
  })

  it('KEY_DISABLED and KEY_EXPIRED; an expired key is deleted on use', async () => {
    const { app, userId } = await owner()
    const { id, key } = await serverKey(app, { userId })
    await alter(id, { enabled: false })
    expect(await verify(app, key)).toMatchObject({
      error: { code: 'KEY_DISABLED', message: 'API Key is disabled' },
      d1: 1,
    })
    await alter(id, { enabled: true, expiresAt: new Date(Date.now() - 1) })
    expect((await verify(app, key)).error).toEqual({ code: 'KEY_EXPIRED', message: 'API Key has expired' })
    expect(await rowOf(id)).toBeNull()
    expect((await verify(app, key)).code).toBe('INVALID_API_KEY')
  })

  it('a banned or removed owner: the key is invalid immediately, and valid again after the ban', async () => {
    const { app, userId } = await owner()
    const keys = [await serverKey(app, { userId }), await serverKey(app, { userId }, plain)]
    for (const { key } of keys) expect((await verify(app, key)).valid).toBe(true)
    for (const until of [null, new Date(Date.now() + day)]) {
      await banUsers({ id: userId }, until)
      for (const { key } of keys) {
        expect((await verify(app, key)).error).toEqual({ code: 'USER_IS_BANNED', message: 'User is banned' })
      }
    }
    await banUsers({ id: userId }, new Date(Date.now() - 1))
    for (const { key } of keys) expect((await verify(app, key)).valid).toBe(true)
    await deleteUsers({ id: userId })
    for (const { key } of keys) expect((await verify(app, key)).code).toBe('INVALID_API_KEY')
  })

  it('the proof of the address of an unproven account deletes its earlier keys', async () => {
    const app = new TestApp(unlimited)
    const { id, email } = await someone(app, 'Alice', { verified: false })
    const { key } = await serverKey(app, { userId: id })
    await app.device().post('/sign-in/magic-link', { email })
    expect((await app.device().get(await app.linkTo(email))).status).toBeLessThan(400)
    expect({ apiKeys: await count('api_keys'), code: (await verify(app, key)).code }).toEqual({
      apiKeys: 0,
      code: 'INVALID_API_KEY',
    })
  })
})

describe('permissions', () => {
  it.each([
    [{ files: ['read'] }, 'valid'],
    [{ files: ['write', 'read'] }, 'valid'],
    [{ files: ['read'], mails: ['send'] }, 'valid'],
    [{ files: [] }, 'valid'],
    [{}, 'valid'],
    [{ files: ['delete'] }, 'KEY_NOT_FOUND'],
    [{ files: ['read', 'delete'] }, 'KEY_NOT_FOUND'],
    [{ other: ['read'] }, 'KEY_NOT_FOUND'],
    [{ other: [] }, 'KEY_NOT_FOUND'],
    [{ files: ['read'], other: ['read'] }, 'KEY_NOT_FOUND'],
    [{ constructor: ['read'] }, 'KEY_NOT_FOUND'],
    [{ 'fi"les': ["' or 1=1 --"] }, 'KEY_NOT_FOUND'],
  ])('%j: %s, the same for a key that is counted and one that is read', async (wanted, code) => {
    const { app, userId } = await owner()
    const permissions = { files: ['read', 'write'], mails: ['send'] }
    const counted = await serverKey(app, { userId }, { permissions, remaining: 5 })
    const read = await serverKey(app, { userId }, { permissions, ...plain })
    await verify(app, read.key)
    for (const { key } of [counted, read]) {
      const answer = await verify(app, key, wanted as Record<string, string[]>)
      expect(answer).toMatchObject({ code, d1: 1 })
    }
    // A rejected request uses no quota.
    expect((await rowOf(counted.id))!.remaining).toBe(code === 'valid' ? 4 : 5)
  })

  it('asked of a key without any: KEY_NOT_FOUND', async () => {
    const { app, userId } = await owner()
    const { key } = await serverKey(app, { userId })
    expect((await verify(app, key, { files: ['read'] })).error).toEqual({
      code: 'KEY_NOT_FOUND',
      message: 'API Key not found',
    })
  })
})

describe('quota', () => {
  it('the last use passes, the next is USAGE_EXCEEDED and deletes the key', async () => {
    const { app, userId } = await owner()
    const { id, key } = await serverKey(app, { userId }, { remaining: 1 })
    expect((await verify(app, key)).key!.remaining).toBe(0)
    expect((await verify(app, key)).error).toEqual({
      code: 'USAGE_EXCEEDED',
      message: 'API Key has reached its usage limit',
    })
    expect(await rowOf(id)).toBeNull()
    expect((await verify(app, key)).code).toBe('INVALID_API_KEY')
  })

  it('50 left, 200 parallel uses: exactly 50 pass', async () => {
    const { app, userId } = await owner()
    const { id, key } = await serverKey(
      app,
      { userId },
      { ...plain, remaining: 50, refillAmount: 1, refillInterval: 1 },
    )
    const answers = await Promise.all(Array.from({ length: 200 }, () => verify(app, key)))
    expect(answers.filter(({ valid }) => valid)).toHaveLength(50)
    expect(new Set(answers.filter(({ valid }) => valid).map((one) => one.key!.remaining)).size).toBe(50)
    expect(new Set(answers.filter(({ valid }) => !valid).map(({ code }) => code))).toEqual(new Set(['USAGE_EXCEEDED']))
    expect((await rowOf(id))!.remaining).toBe(0)
  })

  it('is refilled once more than the interval has passed, not before, and only once', async () => {
    clock()
    const { app, userId } = await owner()
    const { id, key } = await serverKey(app, { userId }, { ...plain, remaining: 1, refillAmount: 5, refillInterval: 2 })
    expect((await verify(app, key)).key!.remaining).toBe(0)
    expect((await verify(app, key)).code).toBe('USAGE_EXCEEDED')
    pass(2 * day)
    expect((await verify(app, key)).code).toBe('USAGE_EXCEEDED')
    pass(1)
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(app, key)))
    expect(answers.filter(({ valid }) => valid)).toHaveLength(5)
    expect((await rowOf(id))!).toMatchObject({ remaining: 0, last_refill_at: Date.now() })
    pass(2 * day)
    expect((await verify(app, key)).code).toBe('USAGE_EXCEEDED')
    pass(1)
    expect((await verify(app, key)).key!.remaining).toBe(4)
  })

  it('a quota that is refilled begins full, unless something else is said', async () => {
    const { app, userId } = await owner()
    const refill = { refillAmount: 5, refillInterval: 1 }
    const remaining = async (more: object) =>
      (await rowOf((await serverKey(app, { userId }, { ...refill, ...more })).id))!.remaining
    expect(await Promise.all([{}, { remaining: 0 }, { remaining: null }].map(remaining))).toEqual([5, 0, null])
  })
})

describe('rate limit', () => {
  it('RATE_LIMITED with the milliseconds to wait; the window begins with its first use and ends on the dot', async () => {
    clock()
    const { app, userId } = await owner()
    const limit = { rateLimitEnabled: true, rateLimitMax: 2, rateLimitTimeWindow: 60_000 }
    const { key } = await serverKey(app, { userId }, limit)
    expect((await verify(app, key)).key!.requestCount).toBe(1)
    pass(50_000)
    expect((await verify(app, key)).key!.requestCount).toBe(2)
    expect((await verify(app, key)).error).toEqual({
      code: 'RATE_LIMITED',
      message: 'Rate limit exceeded.',
      details: { tryAgainIn: 10_000 },
    })
    pass(9_999)
    expect((await verify(app, key)).error!.details).toEqual({ tryAgainIn: 1 })
    pass(1)
    expect((await verify(app, key)).key!.requestCount).toBe(1)
  })

  it('is exact under parallel load, and a rejected use costs no quota', async () => {
    const { app, userId } = await owner()
    const limit = { rateLimitEnabled: true, rateLimitMax: 7, rateLimitTimeWindow: day, remaining: 100 }
    const { id, key } = await serverKey(app, { userId }, limit)
    const answers = await Promise.all(Array.from({ length: 40 }, () => verify(app, key)))
    expect(answers.filter(({ valid }) => valid)).toHaveLength(7)
    expect((await rowOf(id))!).toMatchObject({ request_count: 7, remaining: 93 })
  })

  it('can be disabled by the configuration', async () => {
    const { app, userId } = await owner({ ...unlimited, apiKey: { rateLimit: { enabled: false, maxRequests: 1 } } })
    const { key } = await serverKey(app, { userId }, { rateLimitEnabled: true })
    for (let n = 0; n < 3; n++) expect((await verify(app, key)).valid).toBe(true)
  })
})

describe('a key without quota and limit', () => {
  it('is read, and its last use written after the answer, at most once a minute', async () => {
    clock()
    const { app, userId } = await owner()
    const { id, key } = await serverKey(app, { userId }, plain)
    const lastUse = async () => (await rowOf(id))!.last_request
    await verify(app, key)
    const first = Date.now()
    expect(await lastUse()).toBe(first)
    pass(59_000)
    expect((await verify(app, key)).d1).toBe(1)
    expect(await lastUse()).toBe(first)
    pass(1_000)
    const { scope, settle } = app.openScope()
    const { verifyKey } = await import('./verify.ts')
    expect((await verifyKey(scope, key)).valid).toBe(true)
    expect({ d1: scope.io.used.d1, lastUse: await lastUse() }).toEqual({ d1: 1, lastUse: first })
    await settle()
    expect(await lastUse()).toBe(first + 60_000)
  })

  it('what happens to it is seen at the next use', async () => {
    const { app, userId } = await owner()
    const { id, key } = await serverKey(app, { userId }, plain)
    await verify(app, key)
    await alter(id, { enabled: false })
    expect(await verify(app, key)).toMatchObject({ code: 'KEY_DISABLED', d1: 1 })
    await alter(id, { enabled: true, remaining: 2 })
    expect((await verify(app, key)).key!.remaining).toBe(1)
    expect(await verify(app, key)).toMatchObject({ valid: true, d1: 1 })
    expect((await verify(app, key)).code).toBe('USAGE_EXCEEDED')
  })

  it('is gone when it is deleted, however often it was read', async () => {
    const { app, userId } = await owner()
    const { id, key } = await serverKey(app, { userId }, plain)
    await verify(app, key)
    await deleteRows('api_keys', { id })
    expect((await verify(app, key)).code).toBe('INVALID_API_KEY')
    expect(await verify(app, key)).toMatchObject({ code: 'INVALID_API_KEY', d1: 0 })
  })
})
