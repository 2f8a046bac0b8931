import { createHash, createHmac } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dpopStore } from '../../../../client/sdk/adapters/expo.ts'
import type { DpopStore } from '../../../../client/sdk/dpop.ts'
import type { Config } from '../../../configuration/read-config.ts'
import { base64url } from '../../../kit/base64.ts'
import { codeOf } from '../../../testing/authenticator.ts'
import { type Answer, origin, TestApp } from '../../../testing/harness.ts'
import { authorizationRequest, registerClient } from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count, rowOf } from '../../../testing/rows.ts'
import { passTime, signUpProtected, stopClock } from '../../../testing/two-factor.ts'

const address = (path: string) => `${origin}/api/auth${path}`
const ath = (token: string) => createHash('sha256').update(token).digest('base64url')
const now = () => Math.floor(Date.now() / 1000)

interface Changes {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  key?: { publicKey: CryptoKey; privateKey: CryptoKey }
}

let app: TestApp
let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
/** The token of a bound session. */
let token: string

/** A valid proof with the given changes; null removes a claim. */
async function proof(method: string, path: string, { header = {}, claims = {}, key = keys }: Changes = {}) {
  const payload = { jti: crypto.randomUUID(), htm: method, htu: address(path), iat: now(), ...claims }
  const jwk: JWK = await exportJWK(key.publicKey)
  return new SignJWT(Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null)))
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header } as never)
    .sign(key.privateKey)
}

/** Calls with the token of the session, and a proof of it. */
async function call(method: 'GET' | 'POST', path: string, body?: unknown, changes: Changes & { query?: object } = {}) {
  const { query, ...given } = changes
  const dpop = await proof(method, path, { ...given, claims: { ath: ath(token), ...given.claims } })
  return app.device().send(method, path, body, {
    headers: { authorization: `DPoP ${token}`, dpop, origin: '' },
    ...(query ? { query: query as Record<string, string> } : {}),
  })
}

const signIn = async (changes: Changes = {}, device = app.device()) =>
  device.post('/sign-in/email', alice, { headers: { dpop: await proof('POST', '/sign-in/email', changes) } })

const outcome = ({ status, body, headers }: Answer) =>
  `${status} ${body?.code ?? (body === null ? 'null' : 'ok')} ${headers.get('www-authenticate')?.split(',')[0] ?? ''}`.trim()

const refusal = '401 SESSION_KEY_REQUIRED DPoP error="invalid_dpop_proof"'
const reason = ({ headers }: Answer) => /error_description="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1]

async function start(changes: Config = {}) {
  app = new TestApp({ rateLimit: { enabled: false }, ...changes } as Config)
  await signUp(app, alice)
  const answer = await signIn()
  token = answer.headers.get('set-auth-token')!
  return answer
}

beforeEach(async () => {
  stopClock()
  keys = await generateKeyPair('ES256', { extractable: true })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The session is not ended by any attack. */
const stillWorks = async () => expect((await call('GET', '/get-session')).body.user.email).toBe(alice.email)

describe('a sign-in with a proof', () => {
  it('binds the session to its key, shows it, and sets no cookies', async () => {
    const answer = await start()
    expect({ status: answer.status, cookies: answer.cookies }).toEqual({ status: 200, cookies: [] })
    const { body, cookies } = await call('GET', '/get-session')
    expect(cookies).toEqual([])
    expect(body.session.boundKey).toMatch(/^[\w-]{43}$/)
    const { body: listed } = await call('GET', '/list-sessions')
    expect(listed.map(({ boundKey = null }) => boundKey).sort()).toEqual([body.session.boundKey, null].sort())
    expect((await rowOf('sessions', { token: body.session.token }))!.deviceKey).toMatchObject({ kind: 'dpop', jwk: {} })
  })

  it('costs no more statements than one without, and one counter', async () => {
    await start()
    const plain = await app.device().post('/sign-in/email', alice)
    const bound = await signIn()
    expect(bound.io.d1![0]).toBe(plain.io.d1![0])
    expect(bound.io.durable![0]).toBe(plain.io.durable![0] + 1)
  })

  it('changes nothing without a proof, and where tokens are off', async () => {
    await start()
    const plain = await app.device().post('/sign-in/email', alice)
    expect(plain.cookies.join()).toContain('gatehouse.session_token=')
    app = new TestApp({ bearer: { enabled: false }, rateLimit: { enabled: false } })
    expect((await signIn({ claims: { htm: 'GET' } })).cookies.join()).toContain('gatehouse.session_token=')
  })

  it.each<[string, Changes]>([
    ['another method', { claims: { htm: 'GET' } }],
    ['another address', { claims: { htu: address('/sign-up/email') } }],
    ['no jti', { claims: { jti: null } }],
    ['an old time', { claims: { iat: now() - 1000 } }],
  ])('is refused with %s, and no session begins', async (_, changes) => {
    await start()
    const before = await count('sessions')
    const answer = await signIn(changes)
    expect(outcome(answer)).toBe('401 INVALID_DPOP_PROOF DPoP error="invalid_dpop_proof"')
    expect([answer.headers.get('set-auth-token'), await count('sessions')]).toEqual([null, before])
  })

  it('is refused with a proof that was used', async () => {
    await start()
    const headers = { dpop: await proof('POST', '/sign-in/email') }
    expect((await app.device().post('/sign-in/email', alice, { headers })).status).toBe(200)
    expect((await app.device().post('/sign-in/email', alice, { headers })).body.code).toBe('INVALID_DPOP_PROOF')
  })

  it('ends the cookies of an earlier session of the program', async () => {
    await start()
    const device = await signUp(app, { ...alice, email: 'earlier@example.com' })
    await signIn({}, device)
    expect(device.jar.has('gatehouse.session_token')).toBe(false)
  })

  it('with a second factor: the request that ends the sign-in binds the session', async () => {
    app = new TestApp({ rateLimit: { enabled: false } })
    const { totpURI } = await signUpProtected(app)
    const device = app.device()
    expect((await signIn({}, device)).body.twoFactorRedirect).toBe(true)
    const path = '/two-factor/verify-totp'
    const code = await codeOf(totpURI)
    const wrong = await device.post(path, { code }, { headers: { dpop: await proof('GET', path) } })
    expect(wrong.body.code).toBe('INVALID_DPOP_PROOF')
    passTime(30)
    const answer = await device.post(
      path,
      { code: await codeOf(totpURI) },
      { headers: { dpop: await proof('POST', path) } },
    )
    token = answer.headers.get('set-auth-token')!
    expect(answer.cookies.join()).not.toContain('gatehouse.session_token=')
    await stillWorks()
    expect(outcome(await bearer('GET', '/list-sessions'))).toBe(refusal)
  })

  it('a guest with proofs becomes the user', async () => {
    await start({ anonymous: { enabled: true } } as Config)
    const guest = await app.device().post(
      '/sign-in/anonymous',
      {},
      {
        headers: { dpop: await proof('POST', '/sign-in/anonymous') },
      },
    )
    token = guest.headers.get('set-auth-token')!
    await call('POST', '/sign-in/email', alice)
    await app.runScheduled()
    expect(await count('users')).toBe(1)
  })
})

describe('a request with the token and a proof', () => {
  it('reads, writes, and extends, for every way to send the token', async () => {
    await start()
    expect((await call('POST', '/update-user', { name: 'Alicia' })).body).toEqual({ status: true })
    expect(
      (await call('GET', '/get-session', undefined, { query: { disableCookieCache: 'true' } })).body.user.name,
    ).toBe('Alicia')
    passTime(2 * 86_400)
    const { body, cookies } = await call('GET', '/get-session')
    expect(Date.parse(body.session.updatedAt)).toBe(Date.now())
    expect(cookies).toEqual([])
    token = decodeURIComponent(token)
    await stillWorks()
  })

  it('ignores the query and the fragment of htu (section 4.3)', async () => {
    await start()
    for (const rest of ['?a=1', '#b', '?a=1#b']) {
      expect(
        outcome(await call('GET', '/list-sessions', undefined, { claims: { htu: address(`/list-sessions${rest}`) } })),
      ).toBe('200 ok')
    }
  })

  it('keeps the key when its token is replaced', async () => {
    await start()
    const stolen = token
    const change = { currentPassword: alice.password, newPassword: 'another-password', revokeOtherSessions: true }
    const changed = await call('POST', '/change-password', change)
    expect(changed).toMatchObject({ status: 200, cookies: [] })
    token = changed.headers.get('set-auth-token')!
    await stillWorks()
    expect(outcome(await bearer('GET', '/list-sessions'))).toBe(refusal)
    token = stolen
    expect((await call('GET', '/get-session')).body).toBeNull()
  })

  it('signs out', async () => {
    await start()
    expect((await call('POST', '/sign-out', {})).body).toEqual({ success: true })
    expect((await call('GET', '/get-session')).body).toBeNull()
  })

  it('a read costs no counter, a write one', async () => {
    await start()
    expect((await call('GET', '/list-sessions')).io.durable![0]).toBe(0)
    expect((await call('POST', '/update-user', { name: 'A' })).io.durable![0]).toBe(1)
    expect((await call('GET', '/token')).io.durable![0]).toBe(1)
  })
})

const bearer = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  app.device().send(method, path, body, { headers: { authorization: `Bearer ${token}`, origin: '', ...headers } })

describe('attacks with the token alone', () => {
  it.each<[string, string, string, unknown?]>([
    ['a read', 'GET', '/get-session'],
    ['a list', 'GET', '/list-sessions'],
    ['rows in one batch', 'GET', '/list-accounts'],
    ['a change', 'POST', '/update-user', { name: 'Thief' }],
    [
      'a change of credentials',
      'POST',
      '/change-password',
      { currentPassword: alice.password, newPassword: 'another-one-1' },
    ],
    ['a JWT', 'GET', '/token'],
    ['a one-time token', 'GET', '/one-time-token/generate'],
    ['an API key', 'POST', '/api-key/create', { name: 'mine' }],
    ['the live channel', 'GET', '/live'],
    ['an organization', 'POST', '/organization/create', { name: 'Mine', slug: 'mine' }],
    ['the console', 'GET', '/admin/list-users'],
  ])('%s: refused as a bearer token and without a proof, and the session stays', async (_, method, path, body) => {
    await start()
    const more: Record<string, string> = path === '/live' ? { upgrade: 'websocket' } : {}
    expect(outcome(await bearer(method, path, more, body))).toBe(refusal)
    expect(outcome(await bearer(method, path, { ...more, authorization: `DPoP ${token}` }, body))).toBe(refusal)
    const dpop = await proof(method, path, { claims: { ath: ath(token) } })
    const asBearer = await bearer(method, path, { ...more, dpop }, body)
    expect([outcome(asBearer), reason(asBearer)]).toEqual([refusal, 'the scheme of Authorization is not DPoP'])
    await stillWorks()
  })

  it('as the session cookie: refused, also with a proof', async () => {
    await start()
    const cookie = `gatehouse.session_token=${token}`
    for (const path of ['/get-session', '/list-sessions', '/token']) {
      const dpop = await proof('GET', path, { claims: { ath: ath(token) } })
      for (const more of [{}, { dpop }] as Record<string, string>[]) {
        expect(outcome(await app.device().get(path, { headers: { cookie, ...more } }))).toBe(refusal)
      }
    }
    const rest = { headers: { cookie, 'secure-session-response': 'x', 'sec-secure-session-id': 'x'.repeat(43) } }
    expect((await app.device().post('/device-session/refresh', {}, rest)).status).toBe(200)
    await stillWorks()
  })

  it('as the session cookie beside a request with its proof: the cookie counts for nothing, and gets no session data', async () => {
    await start()
    const cookie = `gatehouse.session_token=${token}`
    const dpop = await proof('GET', '/get-session', { claims: { ath: ath(token) } })
    const answer = await bearer('GET', '/get-session', { cookie, authorization: `DPoP ${token}`, dpop })
    expect([outcome(answer), answer.cookies]).toEqual(['200 ok', []])
  })

  it('as a cookie of several sessions: refused', async () => {
    await start()
    const plain = decodeURIComponent(token).split('.')[0]!
    const cookie = `gatehouse.session_token_multi-${plain.toLowerCase()}=${token}`
    const answer = await app
      .device()
      .post('/multi-session/set-active', { sessionToken: plain }, { headers: { cookie } })
    expect(answer.cookies.join()).not.toContain('gatehouse.session_token=')
    expect(answer.status).toBeGreaterThanOrEqual(400)
    await stillWorks()
  })

  it('a sign-out: the session stays', async () => {
    await start()
    await bearer('POST', '/sign-out', {}, {})
    await bearer('POST', '/sign-out', { authorization: `DPoP ${token}` }, {})
    await bearer('POST', '/sign-out', { authorization: '', cookie: `gatehouse.session_token=${token}`, origin }, {})
    await stillWorks()
  })

  it('a one-time token of the session opens nothing elsewhere', async () => {
    await start()
    const { body } = await call('GET', '/one-time-token/generate')
    const answer = await app.device().post('/one-time-token/verify', { token: body.token })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.cookies.join()).not.toContain('session_token=')
    await stillWorks()
  })

  it('the OAuth authorization: the sign-in page, where a token that is not bound gets the consent page', async () => {
    await start()
    const client = await registerClient(await signUp(app, { ...alice, email: 'developer@example.com' }))
    const query = authorizationRequest(client)
    const opened = async (headers: Record<string, string>) => {
      const { headers: answered } = await app.device().get('/oauth2/authorize', { query, headers })
      return new URL(answered.get('location')!, origin).pathname
    }
    const plain = (await app.device().post('/sign-in/email', alice)).headers.get('set-auth-token')!
    const consent = await opened({ authorization: `Bearer ${plain}` })
    const visitor = await opened({})
    expect(consent).not.toBe(visitor)
    expect(await opened({ authorization: `Bearer ${token}` })).toBe(visitor)
    expect(await opened({ authorization: `DPoP ${token}` })).toBe(visitor)
  })

  it('operations of servers: no session, and no one-time token', async () => {
    await start()
    const server = app.serverApi()
    const dpop = await proof('GET', '', { claims: { ath: ath(token) } })
    for (const authorization of [`Bearer ${token}`, `DPoP ${token}`]) {
      expect(await server.getSession({ authorization, headers: { dpop } as never })).toBeNull()
    }
    expect(await server.getSession({ cookie: `gatehouse.session_token=${token}` })).toBeNull()
    expect(await server.generateOneTimeToken({ sessionToken: token } as never)).toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    await stillWorks()
  })
})

const other = () => generateKeyPair('ES256', { extractable: true })
const part = (value: unknown) => base64url(JSON.stringify(value))

describe('attacks with a proof', () => {
  it.each<[string, string, () => Promise<Changes>]>([
    ['another key', 'it is from another key', async () => ({ key: await other() })],
    ['another method', 'it is for another method', async () => ({ claims: { htm: 'POST' } })],
    ['another address', 'it is for another address', async () => ({ claims: { htu: address('/token') } })],
    [
      'another origin',
      'it is for another address',
      async () => ({ claims: { htu: 'https://evil.example/api/auth/list-sessions' } }),
    ],
    ['a path in place of an address', 'it is for another address', async () => ({ claims: { htu: 'list-sessions' } })],
    ['an old time', 'it is too old', async () => ({ claims: { iat: now() - 200 } })],
    ['a future time', "'iat' is in the future", async () => ({ claims: { iat: now() + 200 } })],
    ['no time', "missing required 'iat' claim", async () => ({ claims: { iat: null } })],
    ['no jti', "missing required 'jti' claim", async () => ({ claims: { jti: null } })],
    ['a number as jti', 'its jti is not a text', async () => ({ claims: { jti: 5 } })],
    ['the hash of another token', 'it is for another token', async () => ({ claims: { ath: ath('other') } })],
    ['no hash of the token', 'it is for another token', async () => ({ claims: { ath: null } })],
    ['another type', "unexpected 'typ' JWT header value", async () => ({ header: { typ: 'JWT' } })],
    [
      'the key of the session and a signature of another',
      '',
      async () => ({ header: { jwk: await exportJWK((await other()).publicKey) } }),
    ],
    ['a private key', '', async () => ({ header: { jwk: await exportJWK(keys.privateKey) } })],
  ])('%s: refused for each read and write, and the session stays', async (_, expected, changes) => {
    await start()
    const answer = await call('GET', '/list-sessions', undefined, await changes())
    expect(outcome(answer)).toBe(refusal)
    expect(reason(answer)).toContain(expected)
    await stillWorks()
  })

  it.each([
    [
      'alg none',
      async () =>
        `${part({ alg: 'none', typ: 'dpop+jwt', jwk: await exportJWK(keys.publicKey) })}.${part({ jti: 'a', htm: 'GET', htu: address('/list-sessions'), iat: now(), ath: ath(token) })}.`,
    ],
    [
      'alg HS256 with the public key',
      async () => {
        const jwk = await exportJWK(keys.publicKey)
        const text = `${part({ alg: 'HS256', typ: 'dpop+jwt', jwk })}.${part({ jti: 'a', htm: 'GET', htu: address('/list-sessions'), iat: now(), ath: ath(token) })}`
        return `${text}.${createHmac('sha256', JSON.stringify(jwk)).update(text).digest('base64url')}`
      },
    ],
    [
      'alg HS256 with an octet key',
      async () => {
        const k = base64url('secret')
        const text = `${part({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct', k } })}.${part({ jti: 'a', htm: 'GET', htu: address('/list-sessions'), iat: now(), ath: ath(token) })}`
        return `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`
      },
    ],
    ['no JWT', async () => 'nonsense'],
    ['an empty header', async () => ' '],
    ['a long one', async () => 'a.'.repeat(5000)],
    [
      'two headers',
      async () =>
        `${await proof('GET', '/list-sessions', { claims: { ath: ath(token) } })}, ${await proof('GET', '/list-sessions', { claims: { ath: ath(token) } })}`,
    ],
  ])('%s: refused', async (_, make) => {
    await start()
    expect(outcome(await bearer('GET', '/list-sessions', { authorization: `DPoP ${token}`, dpop: await make() }))).toBe(
      refusal,
    )
    await stillWorks()
  })

  it.each([
    ['a read', 'GET', '/list-sessions', undefined],
    ['a JWT', 'GET', '/token', undefined],
    ['a write', 'POST', '/update-user', { name: 'Again' }],
  ])('%s with a proof that was used: refused', async (_, method, path, body) => {
    await start()
    const headers = { authorization: `DPoP ${token}`, dpop: await proof(method, path, { claims: { ath: ath(token) } }) }
    expect((await bearer(method, path, headers, body)).status).toBe(200)
    const again = await bearer(method, path, headers, body)
    expect([outcome(again), reason(again)]).toEqual([refusal, 'it has been used before'])
  })

  it('a proof for another session of the same key, and a token of another user with the own key', async () => {
    await start()
    const first = token
    token = (await signIn()).headers.get('set-auth-token')!
    const dpop = await proof('GET', '/list-sessions', { claims: { ath: ath(first) } })
    expect(outcome(await bearer('GET', '/list-sessions', { authorization: `DPoP ${token}`, dpop }))).toBe(refusal)
    keys = await other()
    expect(outcome(await call('GET', '/list-sessions'))).toBe(refusal)
  })

  it('a token that is not bound stays a bearer token, with either scheme', async () => {
    await start()
    token = (await app.device().post('/sign-in/email', alice)).headers.get('set-auth-token')!
    expect(outcome(await bearer('GET', '/list-sessions'))).toBe('200 ok')
    expect(outcome(await call('GET', '/list-sessions'))).toBe('200 ok')
  })
})

/** Without its types, which are those of pages. */
const clientFile: string = '../../../../client/sdk/client.ts'

describe('our client', () => {
  const clientOf = async (store?: DpopStore) => {
    const { createGatehouseClient } = await import(/* @vite-ignore */ clientFile)
    const kept: { token: string | null } = { token: null }
    const client = createGatehouseClient({
      baseURL: origin,
      dpop: store ? { store } : true,
      token: () => kept.token,
      onToken: (given: string) => {
        kept.token = given
      },
      fetch: (async (input: string, init: RequestInit) => {
        const { status, headers, body } = await app.fetch(new Request(input, init))
        return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
      }) as unknown as typeof fetch,
    })
    return { client, kept }
  }

  it('signs in, reads and writes with proofs, and its token is worthless without its key', async () => {
    await start()
    const { client, kept } = await clientOf()
    expect((await client.signIn.email(alice)).error).toBeNull()
    expect((await client.getSession()).data?.user.email).toBe(alice.email)
    expect((await client.updateUser({ name: 'Alicia' })).error).toBeNull()
    expect((await client.listSessions({ query: { limit: 10 } } as never)).error).toBeNull()
    token = kept.token!
    expect(outcome(await bearer('GET', '/list-sessions'))).toBe(refusal)
    const thief = await clientOf()
    thief.kept.token = token
    expect((await thief.client.getSession()).error).toMatchObject({ status: 401, code: 'SESSION_KEY_REQUIRED' })
    expect((await client.signOut()).error).toBeNull()
    expect((await client.getSession()).data).toBeNull()
  })

  it('finds its key again in a store of texts, as in a Keychain', async () => {
    await start()
    const texts = new Map<string, string>()
    const secure = {
      getItemAsync: async (name: string) => texts.get(name) ?? null,
      setItemAsync: async (name: string, text: string) => void texts.set(name, text),
    }
    const first = await clientOf(dpopStore(secure))
    await first.client.signIn.email(alice)
    const next = await clientOf(dpopStore(secure))
    next.kept.token = first.kept.token
    expect((await next.client.getSession()).data?.user.email).toBe(alice.email)
    expect([...texts.keys()]).toEqual(['gatehouse.key'])
  })
})
