import { describe, expect, it } from 'vitest'
import { newKey } from '../../kit/key-form.ts'
import { alter, rowOf, serverKey, verify } from '../../testing/api-keys.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { someone } from '../../testing/organizations.ts'
import { banUsers, deleteUsers, endSessions } from '../../testing/states.ts'

/** The JWT of get-session belongs to another feature, and the first one costs more. */
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
    expect({ status, cookies, d1: io.d1![0] }).toEqual({ status: 200, cookies: [], d1: 1 })
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
    const made = await app.device().post('/organization/create', { name: 'Acme', slug: 'acme' }, by(key))
    expect(made).toMatchObject({ status: 200, cookies: [] })
    const { status, body, io } = await app.device().get('/organization/list', by(key))
    expect({ status, organizations: body.length, d1: io.d1![0] }).toEqual({ status: 200, organizations: 1, d1: 1 })
  })

  it('counts one use per request, for every endpoint', async () => {
    const { app, id, key } = await withKey({ remaining: 100 })
    await app.device().get('/organization/list', by(key))
    await app.device().get('/list-accounts', by(key))
    expect((await rowOf(id))!.remaining).toBe(98)
  })

  it('neither replaces a living session nor is counted beside one', async () => {
    const { alice, id, key } = await withKey({ remaining: 5 })
    // An invalid cookie next to a key costs one more round trip.
    const app = new TestApp(unlimited, {}, false)
    const bob = await someone(app, 'Bob')
    expect((await sessionBy(bob.device, key)).body.user.name).toBe('Bob')
    expect((await rowOf(id))!.remaining).toBe(5)
    await endSessions({ userId: bob.id })
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
      expect({ path, status: answer.status, body: answer.body }).toEqual({ path, status, body: { code, message } })
    }
  })

  it.each([
    ['disabled', { enabled: false }, 401, { code: 'KEY_DISABLED', message: 'API Key is disabled' }],
    ['expired', { expiresAt: new Date(1) }, 401, { code: 'KEY_EXPIRED', message: 'API Key has expired' }],
    ['used up', { remaining: 0 }, 429, { code: 'USAGE_EXCEEDED', message: 'API Key has reached its usage limit' }],
  ] as const)('refused: %s', async (_what, change, status, body) => {
    const { app, id, key } = await withKey()
    await alter(id, change)
    const answer = await sessionBy(app.device(), key)
    expect({ status: answer.status, body: answer.body, d1: answer.io.d1![0] }).toEqual({ status, body, d1: 1 })
  })

  it('rejected: the key of a banned or deleted user', async () => {
    const { app, alice, key } = await withKey({ rateLimitMax: 100 })
    await banUsers({ id: alice.id })
    for (const path of ['/get-session', '/list-sessions']) {
      const { status, body } = await app.device().get(path, by(key))
      expect({ path, status, body }).toEqual({
        path,
        status: 401,
        body: { code: 'USER_IS_BANNED', message: 'User is banned' },
      })
    }
    const change = await app.device().post('/update-user', { name: 'By key' }, by(key))
    expect(change).toMatchObject({ status: 401, body: { code: 'USER_IS_BANNED' } })
    await deleteUsers({ id: alice.id })
    expect((await sessionBy(app.device(), key)).body.code).toBe('INVALID_API_KEY')
  })

  it('refused: over its limit, with the milliseconds to wait', async () => {
    const { app, key } = await withKey({ rateLimitMax: 1, rateLimitTimeWindow: 60_000 })
    await sessionBy(app.device(), key)
    const { status, body } = await sessionBy(app.device(), key)
    expect({ status, body }).toEqual({
      status: 401,
      body: { code: 'RATE_LIMITED', message: 'Rate limit exceeded.', details: { tryAgainIn: expect.any(Number) } },
    })
    expect(body.details.tryAgainIn).toBeGreaterThan(50_000)
  })

  it('a key without quota and limit is read as a session too', async () => {
    const { app, key } = await withKey({ rateLimitEnabled: false })
    for (let n = 0; n < 3; n++) {
      const list = await app.device().get('/api-key/list', by(key))
      expect({ status: list.status, code: list.body.code, d1: list.io.d1![0] }).toEqual({
        status: 403,
        code: 'OWN_SESSION_REQUIRED',
        d1: 1,
      })
      const { body, io } = await sessionBy(app.device(), key)
      expect({ name: body.user.name, d1: io.d1![0] }).toEqual({ name: 'Alice', d1: 0 })
    }
  })

  it('opens nothing that requires the user’s own session', async () => {
    const { app, key } = await withKey({ rateLimitMax: 100 })
    for (const path of ['/list-sessions', '/api-key/list']) {
      const answer = await app.device().get(path, by(key))
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 403,
        code: 'OWN_SESSION_REQUIRED',
      })
    }
    for (const [path, body] of [
      ['/update-user', { name: 'By key' }],
      ['/revoke-session', { token: 'x' }],
      ['/revoke-sessions', {}],
      ['/revoke-other-sessions', {}],
      ['/api-key/create', {}],
      ['/api-key/update', { keyId: 'x', name: 'x' }],
      ['/api-key/delete', { keyId: 'x' }],
      ['/change-password', { currentPassword: 'password1234', newPassword: 'another-password' }],
    ] as const) {
      const answer = await app.device().post(path, body, by(key))
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 403,
        code: 'OWN_SESSION_REQUIRED',
      })
    }
  })

  it('has the access level of the key, for every endpoint', async () => {
    const limits = { rateLimitMax: 100 }
    const { app, alice, key: full } = await withKey(limits)
    const owner = { userId: alice.id }
    const { key: reading } = await serverKey(app, owner, { ...limits, access: 'read-only' })
    const { key: verifying } = await serverKey(app, owner, { ...limits, access: 'verify-only' })
    const slug = (key: string) =>
      app.device().post('/organization/create', { name: 'Acme', slug: key.slice(0, 8) }, by(key))
    const codes = (answers: { status: number; body: any }[]) => answers.map(({ status, body }) => body.code ?? status)
    const denied = 'API_KEY_ACCESS_DENIED'
    const keys = [full, reading, verifying]
    expect(codes(await Promise.all(keys.map((key) => sessionBy(app.device(), key))))).toEqual([200, 200, denied])
    expect(codes(await Promise.all(keys.map((key) => app.device().get('/organization/list', by(key)))))).toEqual([
      200,
      200,
      denied,
    ])
    expect(codes(await Promise.all(keys.map(slug)))).toEqual([200, denied, denied])
    for (const key of keys) expect((await verify(app, key)).code).toBe('valid')
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
