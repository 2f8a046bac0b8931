import { describe, expect, it } from 'vitest'
import { alter, rowOf, serverKey } from '../../testing/api-keys.ts'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import { someone } from '../../testing/organizations.ts'
import { newKey } from './key-form.ts'

/** The JWT of get-session is another feature's, and the first one costs more. */
const unlimited = { rateLimit: { enabled: false }, jwt: { enabled: false } }

const withKey = async (properties: object = {}, config: object = unlimited) => {
  const app = new TestApp(config)
  const alice = await someone(app, 'Alice')
  return { app, alice, ...(await serverKey(app, { userId: alice.id }, properties)) }
}

const by = (key: string, header = 'x-api-key') => ({ headers: { [header]: key, origin: '' } })
const sessionBy = (device: Device, key: string) => device.get('/get-session', by(key))

describe('a key in its header', () => {
  it('is a session of its owner, counted, in one round trip and without a cookie', async () => {
    const { app, alice, id, key } = await withKey({ remaining: 10 })
    const { status, body, cookies, io } = await sessionBy(app.device(), key)
    expect([status, cookies, io.d1![0]]).toEqual([200, [], 1])
    expect(body.user).toMatchObject({ id: alice.id, name: 'Alice', email: alice.email })
    expect(body.session).toMatchObject({ id, token: key, userId: alice.id, userAgent: 'harness/1.0' })
    expect(Date.parse(body.session.expiresAt) - Date.now()).toBeGreaterThan(604_700_000)
    expect((await rowOf(id))!.remaining).toBe(9)
  })

  it('lives as long as the key, where that is shorter', async () => {
    const { app, key } = await withKey({ expiresIn: 86_400 })
    const { session } = (await sessionBy(app.device(), key)).body
    expect(Date.parse(session.expiresAt) - Date.now()).toBeLessThanOrEqual(86_400_000)
  })

  it('reads and acts: one round trip for a read, no cookie for a change', async () => {
    const { app, key } = await withKey()
    const { status, body } = await app.device().get('/list-sessions', by(key))
    expect([status, body.length]).toEqual([200, 1])
    const update = await app.device().post('/update-user', { name: 'By key' }, by(key))
    expect([update.body, update.cookies]).toEqual([{ status: true }, []])
    expect((await sessionBy(app.device(), key)).body.user.name).toBe('By key')
  })

  it('counts one use a request, whatever the request asks', async () => {
    const { app, id, key } = await withKey({ remaining: 100 })
    await app.device().get('/organization/list', by(key))
    await app.device().get('/list-sessions', by(key))
    expect((await rowOf(id))!.remaining).toBe(98)
  })

  it('neither replaces a living session nor is counted beside one', async () => {
    const { alice, id, key } = await withKey({ remaining: 5 })
    // A dead cookie beside a key costs a round trip more than any ordinary request.
    const app = new TestApp(unlimited, {}, false)
    const bob = await someone(app, 'Bob')
    expect((await sessionBy(bob.device, key)).body.user.name).toBe('Bob')
    expect((await rowOf(id))!.remaining).toBe(5)
    await env.DB.prepare('delete from sessions where user_id = ?').bind(bob.id).run()
    const answer = await bob.device.get('/get-session', { ...by(key), query: { disableCookieCache: 'true' } })
    expect(answer.body.user.id).toBe(alice.id)
  })

  it.each([
    ['a short one', 'short', 403, 'INVALID_API_KEY', 'Invalid API key.'],
    ['a malformed one', 'x'.repeat(64), 401, 'INVALID_API_KEY', 'Invalid API key.'],
    ['an unknown one', newKey('', 64), 401, 'INVALID_API_KEY', 'Invalid API key.'],
  ] as const)('refused: %s', async (_what, key, status, code, message) => {
    const app = new TestApp(unlimited)
    for (const path of ['/get-session', '/list-sessions', '/organization/list', '/api-key/list']) {
      const answer = await app.device().get(path, by(key))
      expect([path, answer.status, answer.body]).toEqual([path, status, { code, message }])
    }
  })

  it.each([
    ['disabled', 'enabled = 0', 401, { code: 'KEY_DISABLED', message: 'API Key is disabled' }],
    ['expired', 'expires_at = 1', 401, { code: 'KEY_EXPIRED', message: 'API Key has expired' }],
    ['used up', 'remaining = 0', 429, { code: 'USAGE_EXCEEDED', message: 'API Key has reached its usage limit' }],
  ] as const)('refused: %s', async (_what, change, status, body) => {
    const { app, id, key } = await withKey()
    await alter(id, change)
    const answer = await sessionBy(app.device(), key)
    expect([answer.status, answer.body, answer.io.d1![0]]).toEqual([status, body, 1])
  })

  it('refused: that of somebody banned or removed', async () => {
    const { app, alice, key } = await withKey({ rateLimitMax: 100 })
    await env.DB.prepare('update users set banned = 1 where id = ?').bind(alice.id).run()
    for (const path of ['/get-session', '/list-sessions']) {
      const { status, body } = await app.device().get(path, by(key))
      expect([path, status, body]).toEqual([path, 401, { code: 'USER_IS_BANNED', message: 'User is banned' }])
    }
    const change = await app.device().post('/update-user', { name: 'By key' }, by(key))
    expect([change.status, change.body.code]).toEqual([401, 'USER_IS_BANNED'])
    await env.DB.prepare('delete from users where id = ?').bind(alice.id).run()
    expect((await sessionBy(app.device(), key)).body.code).toBe('INVALID_API_KEY')
  })

  it('refused: over its limit, with the milliseconds to wait', async () => {
    const { app, key } = await withKey({ rateLimitMax: 1, rateLimitTimeWindow: 60_000 })
    await sessionBy(app.device(), key)
    const { status, body } = await sessionBy(app.device(), key)
    expect([status, body]).toEqual([
      401,
      { code: 'RATE_LIMITED', message: 'Rate limit exceeded.', details: { tryAgainIn: expect.any(Number) } },
    ])
    expect(body.details.tryAgainIn).toBeGreaterThan(50_000)
  })

  it('a key without quota and limit is read as a session too', async () => {
    const { app, key } = await withKey({ rateLimitEnabled: false })
    for (let n = 0; n < 3; n++) {
      const list = await app.device().get('/api-key/list', by(key))
      expect([list.status, list.body.code, list.io.d1![0]]).toEqual([403, 'OWN_SESSION_REQUIRED', 1])
      const { body, io } = await sessionBy(app.device(), key)
      expect([body.user.name, io.d1![0]]).toEqual(['Alice', 1])
    }
  })

  it('opens nothing that is the person’s own', async () => {
    const { app, key } = await withKey({ rateLimitMax: 100 })
    for (const [path, body] of [
      ['/api-key/create', {}],
      ['/api-key/update', { keyId: 'x', name: 'x' }],
      ['/api-key/delete', { keyId: 'x' }],
      ['/change-password', { currentPassword: 'password1234', newPassword: 'another-password' }],
    ] as const) {
      const answer = await app.device().post(path, body, by(key))
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'OWN_SESSION_REQUIRED'])
    }
  })

  it('other headers by configuration, or none', async () => {
    const config = { ...unlimited, apiKey: { apiKeyHeaders: ['x-acme-key', 'x-old-key'] } }
    const { app, key } = await withKey({}, config)
    for (const header of ['x-acme-key', 'x-old-key']) {
      expect((await app.device().get('/get-session', by(key, header))).body.user.name).toBe('Alice')
    }
    expect((await sessionBy(app.device(), key)).body).toBeNull()
    const off = new TestApp({ ...unlimited, apiKey: { disableSessionForAPIKeys: true } })
    expect((await sessionBy(off.device(), key)).body).toBeNull()
  })
})
