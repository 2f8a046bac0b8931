import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serverKey } from '../../testing/api-keys.ts'
import { type Answer, type Device, origin, TestApp } from '../../testing/harness.ts'
import { alice, signIn, signUp } from '../../testing/people.ts'
import { deleteRows, rowOf } from '../../testing/rows.ts'
import { endSessions, impersonateAs } from '../../testing/states.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const uncached = { query: { disableCookieCache: 'true' } }
const none = [0, 0, 0, 0, 0]
const used = ({ io }: Answer) => Object.values(io).map(([count]) => count)

/** The claims of a token after verification with the public key set. */
async function verified(device: Device, token: string, audience = origin): Promise<JWTPayload> {
  const keys = createLocalJWKSet((await device.get('/jwks')).body)
  return (await jwtVerify(token, keys, { issuer: origin, audience })).payload
}

describe('GET /token', () => {
  it('200: the whole user, for 15 minutes', async () => {
    const device = await signUp(new TestApp(), alice)
    const { status, body } = await device.get('/token')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['token'])
    const { user, session } = (await device.get('/get-session')).body
    const claims = await verified(device, body.token)
    expect(claims).toEqual({
      ...user,
      iss: origin,
      aud: origin,
      sub: user.id,
      sid: session.id,
      iat: expect.any(Number),
      exp: claims.iat! + 900,
    })
    expect(decodeProtectedHeader(body.token)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: expect.any(String) })
    expect(body.token).not.toContain(device.cookie('session_token')!.split('.')[0])
  })

  it('one round trip for the caller, and none for the token once the isolate has the key', async () => {
    const device = await signUp(new TestApp(), alice)
    expect((await device.get('/token')).io.d1![0]).toBe(1)
    const app = new TestApp()
    const other = app.device()
    for (const [name, value] of device.jar) other.jar.set(name, value)
    expect((await other.get('/token')).io.d1![0]).toBe(2)
    expect((await other.get('/token')).io.d1![0]).toBe(1)
    await deleteRows('jwks')
    const third = new TestApp().device()
    for (const [name, value] of device.jar) third.jar.set(name, value)
    expect((await third.get('/token')).io.d1).toEqual([3, 3])
  })

  it('200 for a bearer caller', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const { headers } = await app.device().post('/sign-in/email', alice)
    const authorization = `Bearer ${headers.get('set-auth-token')}`
    const { status, body } = await app.device().get('/token', { headers: { authorization } })
    expect({ status, email: decodeJwt(body.token).email }).toEqual({ status: 200, email: alice.email })
  })

  it('401 without a session, and from the cookie cache of one that has ended', async () => {
    const app = new TestApp()
    expect((await app.device().get('/token')).status).toBe(401)
    const device = await signUp(app, alice)
    await endSessions()
    expect((await device.get('/token')).status).toBe(401)
  })

  it('404 where tokens are off, and get-session sends none', async () => {
    const device = await signUp(new TestApp({ jwt: { enabled: false } }), alice)
    expect((await device.get('/token')).status).toBe(404)
    expect((await device.get('/jwks')).status).toBe(404)
    expect((await device.get('/get-session')).headers.get('set-auth-jwt')).toBeNull()
    expect(await rowOf('jwks')).toBeNull()
  })

  it('contains the configured values', async () => {
    const sources: unknown[] = []
    const app = new TestApp({
      jwt: {
        issuer: 'https://accounts.example.com',
        audience: ['api', 'web'],
        expiresIn: 60,
        algorithm: 'ES256',
        definePayload: async (source) => {
          sources.push(source)
          return { email: source.user.email, sub: `person:${source.user.id}`, iss: 'me', aud: 'me', iat: 1, exp: 2 }
        },
      },
    })
    const device = await signUp(app, alice)
    const { token } = (await device.get('/token')).body
    const { user, session } = (await device.get('/get-session', uncached)).body
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet((await device.get('/jwks')).body))
    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toEqual({
      email: alice.email,
      sub: `person:${user.id}`,
      iss: 'https://accounts.example.com',
      aud: ['api', 'web'],
      sid: session.id,
      iat: expect.any(Number),
      exp: payload.iat! + 60,
    })
    // The same from the cookie, which also returns a recently issued token, but never the session's own token.
    await device.get('/get-session')
    const { token: _, ...shown } = session
    expect(sources).toEqual([
      { user, session: shown },
      { user, session: shown },
    ])
  })
})

describe('GET /jwks', () => {
  it('200: the public key, which the first call makes, with its id; and caches may keep it', async () => {
    const device = new TestApp().device()
    const { status, body, headers, io } = await device.get('/jwks')
    expect(status).toBe(200)
    expect(body.keys).toEqual([
      { alg: 'EdDSA', crv: 'Ed25519', x: expect.any(String), kty: 'OKP', kid: expect.any(String) },
    ])
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.getSetCookie()).toEqual([])
    expect(io.d1).toEqual([2, 2])
    const again = await device.get('/jwks')
    expect({ body: again.body, d1: again.io.d1![0] }).toEqual({ body, d1: 1 })
  })

  it('20 parallel first calls create one key', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => new TestApp().device().get('/jwks')))
    expect(new Set(answers.map(({ body }) => body.keys.map(({ kid }: { kid: string }) => kid).join())).size).toBe(1)
  })
})

describe('GET /get-session: set-auth-jwt', () => {
  it('comes from the cookie cache with no I/O at all, with every feature on', async () => {
    const device = await signUp(new TestApp({ organization: { teams: { enabled: true } } }), alice)
    const answer = await device.get('/get-session')
    expect(used(answer)).toEqual(none)
    expect(answer.headers.get('access-control-expose-headers')).toContain('set-auth-jwt')
    const claims = await verified(device, answer.headers.get('set-auth-jwt')!)
    expect(claims).toMatchObject({ ...answer.body.user, sub: answer.body.user.id })
  })

  it('is the same claims when the session was read', async () => {
    const device = await signUp(new TestApp(), alice)
    const [cached, read] = [await device.get('/get-session'), await device.get('/get-session', uncached)]
    const claims = ({ headers }: Answer) => {
      const { iat: _, exp: __, ...rest } = decodeJwt(headers.get('set-auth-jwt')!)
      return rest
    }
    expect(claims(read)).toEqual(claims(cached))
    expect(used(read)).toEqual([1, 0, 0, 0, 0])
  })

  it('is signed once for everything that shows the same user, and once for an API key at any moment', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp({ jwt: { forApiKeys: true } })
    const device = await signUp(app, alice)
    const { body } = await device.get('/get-session')
    const { key } = await serverKey(app, { userId: body.user.id })
    const [own, byKey] = [new Set<string>(), new Set<string>()]
    for (let n = 0; n < 3; n++) {
      vi.setSystemTime(Date.now() + 1000)
      const answer = await app.device().get('/get-session', { headers: { 'x-api-key': key, origin: '' } })
      byKey.add(answer.headers.get('set-auth-jwt')!)
      own.add((await device.get('/get-session')).headers.get('set-auth-jwt')!)
    }
    expect({ own: own.size, byKey: byKey.size, together: new Set([...own, ...byKey]).size }).toEqual({
      own: 1,
      byKey: 1,
      together: 2,
    })
  })

  it('costs a new isolate one round trip, once; and none for a user who signs in there', async () => {
    const device = await signUp(new TestApp(), alice)
    const app = new TestApp()
    const other = app.device()
    for (const [name, value] of device.jar) other.jar.set(name, value)
    expect(used(await other.get('/get-session'))).toEqual([1, 0, 0, 0, 0])
    expect(used(await other.get('/get-session'))).toEqual(none)
    expect(used(await (await signIn(new TestApp(), alice)).get('/get-session'))).toEqual(none)
  })

  it('is not sent to a caller without a session', async () => {
    const { headers, body } = await new TestApp().device().get('/get-session')
    expect({ body, setAuthJwt: headers.get('set-auth-jwt') }).toEqual({ body: null, setAuthJwt: null })
  })

  it('is left out when it cannot be made: the session is still the session', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const definePayload = () => {
      throw new Error('the product is at fault')
    }
    const device = await signUp(new TestApp({ jwt: { definePayload } }), alice)
    const { status, body, headers } = await device.get('/get-session')
    expect({ status, email: body.user.email, setAuthJwt: headers.get('set-auth-jwt') }).toEqual({
      status: 200,
      email: alice.email,
      setAuthJwt: null,
    })
    expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)).event)).toEqual(['jwt-not-issued'])
  })

  it('is left out by a new isolate that cannot reach the database; /token and /jwks answer 503', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const device = await signUp(new TestApp(), alice)
    const away = () => Promise.reject(new Error('D1 is away'))
    const statement = { bind: () => statement, run: away, all: away, raw: away, first: away }
    const session = { prepare: () => statement, batch: away, getBookmark: () => null }
    const DB = { withSession: () => session } as unknown as D1Database
    const other = new TestApp({}, { DB }).device()
    for (const [name, value] of device.jar) other.jar.set(name, value)
    const { status, body, headers } = await other.get('/get-session')
    expect({ status, email: body.user.email, setAuthJwt: headers.get('set-auth-jwt') }).toEqual({
      status: 200,
      email: alice.email,
      setAuthJwt: null,
    })
    for (const path of ['/token', '/jwks']) {
      const refused = await other.get(path)
      expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    }
  })

  it('shows what has changed as soon as the cookie does', async () => {
    const device = await signUp(new TestApp(), alice)
    await device.post('/update-user', { name: 'Alice II' })
    expect(decodeJwt((await device.get('/get-session')).headers.get('set-auth-jwt')!).name).toBe('Alice II')
  })
})

describe('a token of a caller that acts for the user', () => {
  const byKey = (app: TestApp, path: string, key: string) =>
    app.device().get(path, { headers: { 'x-api-key': key, origin: '' } })

  async function withKey(config: object, properties: object) {
    const app = new TestApp({ apiKey: { rateLimit: { enabled: false } }, ...config })
    const device = await signUp(app, alice)
    const { user } = (await device.get('/get-session')).body
    return { app, device, user, ...(await serverKey(app, { userId: user.id }, properties)) }
  }

  it('an API key receives none: not from /token, not beside its session', async () => {
    const { app, key } = await withKey({}, {})
    const { status, body } = await byKey(app, '/token', key)
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'OWN_SESSION_REQUIRED' })
    const read = await byKey(app, '/get-session', key)
    expect({ status: read.status, email: read.body.user.email, setAuthJwt: read.headers.get('set-auth-jwt') }).toEqual({
      status: 200,
      email: alice.email,
      setAuthJwt: null,
    })
    expect(Object.keys(read.body)).toEqual(['session', 'user'])
    expect((await byKey(app, '/one-time-token/generate', key)).body.code).toBe('OWN_SESSION_REQUIRED')
  })

  it.each([
    ['the default payload', {}],
    ['a payload of the configuration', { definePayload: () => ({ amr: ['pwd'], api_key: null, act: null }) }],
  ])('with forApiKeys it names the key, its access level and its permissions: %s', async (_what, jwt) => {
    const permissions = { files: ['read'] }
    const { app, device, user, id, key } = await withKey({ jwt: { ...jwt, forApiKeys: true } }, { permissions })
    const tokens = [
      (await byKey(app, '/token', key)).body.token,
      (await byKey(app, '/get-session', key)).headers.get('set-auth-jwt')!,
    ]
    for (const token of tokens) {
      expect(await verified(device, token)).toMatchObject({
        sub: user.id,
        amr: ['api_key'],
        api_key: { id, access: 'read-only', permissions },
      })
    }
  })

  it('an impersonation has the administrator as `act` (RFC 8693, section 4.1), also from the cookie cache', async () => {
    const definePayload = () => ({ act: { sub: 'unknown' } })
    for (const jwt of [{}, { definePayload }]) {
      const app = new TestApp({ jwt, rateLimit: { enabled: false } })
      const device = await signUp(app, { ...alice, email: `${crypto.randomUUID()}@example.com` })
      const own = await device.get('/get-session', uncached)
      if (!('definePayload' in jwt)) {
        expect(decodeJwt(own.headers.get('set-auth-jwt')!)).not.toHaveProperty('act')
      }
      await impersonateAs('the-admin')
      const read = await device.get('/get-session', uncached)
      const cached = await device.get('/get-session')
      expect(used(cached)).toEqual(none)
      const { token } = (await device.get('/token')).body
      for (const one of [token, read.headers.get('set-auth-jwt'), cached.headers.get('set-auth-jwt')]) {
        expect(await verified(device, one)).toMatchObject({ sub: own.body.user.id, act: { sub: 'the-admin' } })
      }
    }
  })
})
