import { runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hmac } from '../../../kit/hash.ts'
import { secretOfNames } from '../../../platform/test-clock.ts'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { impersonateAs } from '../../../testing/states.ts'

afterEach(() => {
  vi.useRealTimers()
})

const generate = async (device: Device): Promise<string> => (await device.get('/one-time-token/generate')).body.token

describe('GET /one-time-token/generate', () => {
  it('200: 32 characters; one round trip and one record', async () => {
    const device = await signUp(new TestApp(), alice)
    const { status, body, cookies, io } = await device.get('/one-time-token/generate')
    expect({ status, cookies }).toEqual({ status: 200, cookies: [] })
    expect(body).toEqual({ token: expect.stringMatching(/^[\w-]{32}$/) })
    expect(io).toMatchObject({ d1: [1, 1], durable: [1, 1] })
    expect(await generate(device)).not.toBe(body.token)
  })

  it('stores neither the token nor the session token', async () => {
    const device = await signUp(new TestApp(), alice)
    const token = await generate(device)
    const stub = env.ONE_TIME.getByName(hmac(secretOfNames(env.GATEHOUSE_SECRET!), `one-time:one-time-token:${token}`))
    const stored = await runInDurableObject(stub, (_, { storage }) => JSON.stringify(storage.kv.get('record')))
    expect(stored).toContain('expiresAt')
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(device.cookie('session_token')!.split('.')[0])
  })

  it('400 where client requests are switched off; 401 without a session', async () => {
    const app = new TestApp({ oneTimeToken: { disableClientRequest: true } })
    const device = await signUp(app, alice)
    expect(await device.get('/one-time-token/generate')).toMatchObject({
      status: 400,
      body: { code: 'CLIENT_REQUESTS_ARE_DISABLED', message: 'Client requests are disabled' },
    })
    expect((await app.device().get('/one-time-token/generate')).status).toBe(401)
    expect((await new TestApp().device().get('/one-time-token/generate')).status).toBe(401)
  })

  it('403 for an administrator who impersonates a user', async () => {
    const device = await signUp(new TestApp(), alice)
    await impersonateAs('admin')
    const { status, body } = await device.get('/one-time-token/generate')
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'OWN_SESSION_REQUIRED' })
  })

  it('503: a prefetching browser makes none', async () => {
    const device = await signUp(new TestApp(), alice)
    const headers = { 'sec-purpose': 'prefetch' }
    const { status, body } = await device.get('/one-time-token/generate', { headers })
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'PREFETCH_REFUSED' })
  })

  it('404 where the feature is off', async () => {
    const device = await signUp(new TestApp({ oneTimeToken: { enabled: false } }), alice)
    expect((await device.get('/one-time-token/generate')).status).toBe(404)
    expect((await device.post('/one-time-token/verify', { token: 'x' })).status).toBe(404)
  })
})

describe('POST /one-time-token/verify', () => {
  it('200: exactly the session that it was made in, for a client without a cookie, and no cookie is set', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const session = (await device.get('/get-session')).body
    const { status, body, cookies, headers, io } = await app.device().post('/one-time-token/verify', {
      token: await generate(device),
    })
    expect({ status, body, cookies, setAuthToken: headers.get('set-auth-token') }).toEqual({
      status: 200,
      body: session,
      cookies: [],
      setAuthToken: null,
    })
    expect(io).toMatchObject({ d1: [1, 1], durable: [1, 1] })
    expect((await device.get('/list-sessions')).body).toHaveLength(1)
  })

  it('once: of 20 at the same time one gets the session', async () => {
    const app = new TestApp()
    const token = await generate(await signUp(app, alice))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.device().post('/one-time-token/verify', { token })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect({ status, body }).toEqual({ status: 400, body: { code: 'INVALID_TOKEN', message: 'Invalid token' } })
    }
  })

  it('400: expired after 3 minutes, or after the configured time', async () => {
    for (const [expiresIn, milliseconds] of [
      [undefined, 180_000],
      [10, 10_000],
    ] as const) {
      const app = new TestApp(expiresIn ? { oneTimeToken: { expiresIn } } : {})
      const device = await signUp(app, { ...alice, email: `${milliseconds}@example.com` })
      vi.useFakeTimers({ toFake: ['Date'] })
      const [early, late] = [await generate(device), await generate(device)]
      vi.setSystemTime(Date.now() + milliseconds - 1000)
      expect((await device.post('/one-time-token/verify', { token: early })).status).toBe(200)
      vi.setSystemTime(Date.now() + 1000)
      expect(await device.post('/one-time-token/verify', { token: late })).toMatchObject({
        status: 400,
        body: { code: 'TOKEN_EXPIRED', message: 'Token expired' },
      })
      vi.useRealTimers()
    }
  })

  it('400: the session has ended in the meantime', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const token = await generate(device)
    await device.post('/sign-out')
    expect(await device.post('/one-time-token/verify', { token })).toMatchObject({
      status: 400,
      body: { code: 'SESSION_NOT_FOUND', message: 'Session not found' },
    })
    expect((await device.post('/one-time-token/verify', { token })).body.code).toBe('INVALID_TOKEN')
  })

  it('400: no token of ours, and no token at all', async () => {
    const app = new TestApp()
    const sessionToken = (await signUp(app, alice)).cookie('session_token')!
    for (const token of ['bad', '', sessionToken, 'x'.repeat(256)]) {
      const { status, body } = await app.device().post('/one-time-token/verify', { token })
      expect({ status, body }).toEqual({ status: 400, body: { code: 'INVALID_TOKEN', message: 'Invalid token' } })
    }
    for (const body of [{}, { token: 5 }, { token: ['a'] }, { token: 'x'.repeat(257) }, []]) {
      expect(await app.device().post('/one-time-token/verify', body)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      })
    }
  })

  it('another origin cannot use a token up', async () => {
    const app = new TestApp()
    const token = await generate(await signUp(app, alice))
    const headers = { origin: 'https://evil.example' }
    expect((await app.device().post('/one-time-token/verify', { token }, { headers })).status).toBe(403)
    expect((await app.device().post('/one-time-token/verify', { token })).status).toBe(200)
  })

  it('a token is hashed by the configured function', async () => {
    const hashed: string[] = []
    const storeToken = async (token: string) => {
      hashed.push(token)
      return `v2:${token}`
    }
    const app = new TestApp({ oneTimeToken: { storeToken } })
    const token = await generate(await signUp(app, alice))
    expect((await new TestApp().device().post('/one-time-token/verify', { token })).status).toBe(400)
    expect((await app.device().post('/one-time-token/verify', { token })).status).toBe(200)
    expect(hashed).toEqual([token, token])
  })
})
