import { describe, expect, it } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { declaredEndpoints, everything } from '../../testing/cases.ts'
import { type Device, env, origin as ownOrigin, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { rowOf, storedRow } from '../../testing/rows.ts'

const unlimited = { rateLimit: { enabled: false } }

describe('trusted origins', () => {
  const app = () =>
    new TestApp({ ...unlimited, trustedOrigins: ['https://app.example.com', 'https://*.preview.example.com'] })

  it('a POST with a foreign or missing origin is refused, whatever it carries', async () => {
    const tested = app()
    const device = await signUp(tested, alice)
    const refused: Record<string, string>[] = [
      { origin: 'https://evil.example.org' },
      { origin: 'null' },
      { origin: 'https://app.example.com.evil.org' },
      { origin: 'https://app.example.com:8443' },
      { origin: 'http://app.example.com' },
      { origin: '', referer: 'https://evil.example.org/app.example.com' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
      { origin: '', 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of refused) {
      const { status, body } = await device.post('/update-user', { name: 'Mallory' }, { headers })
      expect({ headers, status, body }).toEqual({
        headers,
        status: 403,
        body: {
          code: 'INVALID_ORIGIN',
          message: 'Invalid origin',
          hint: expect.stringMatching(/^(?:Add \S+ to trustedOrigins|A POST with a cookie needs)/),
        },
      })
    }
    const server = await device.post('/update-user', { name: 'Mallory' }, { headers: { origin: '' } })
    expect({ status: server.status, body: server.body }).toEqual({
      status: 403,
      body: {
        code: 'INVALID_ORIGIN',
        message: 'Invalid origin',
        hint: expect.stringContaining('http://localhost:8787'),
      },
    })
    const visitor = await tested
      .device()
      .post('/sign-in/email', alice, { headers: { origin: 'https://evil.example.org' } })
    expect(visitor.status).toBe(403)
    expect((await device.get('/get-session')).body.user.name).toBe('Alice')
  })

  it('a POST from our own or a configured origin passes, and one that no browser sent', async () => {
    const tested = app()
    const device = await signUp(tested, alice)
    const passed: Record<string, string>[] = [
      { origin: 'http://localhost:8787' },
      { origin: 'https://app.example.com' },
      { origin: 'https://pr-7.preview.example.com' },
      { origin: '', referer: 'https://app.example.com/page?x=1' },
      { origin: '', 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of passed) {
      expect({ headers, status: (await device.post('/update-user', { name: 'A' }, { headers })).status }).toEqual({
        headers,
        status: 200,
      })
    }
    expect((await tested.device().post('/sign-in/email', alice, { headers: { origin: '' } })).status).toBe(200)
  })

  it.each([
    ['callbackURL', 'INVALID_CALLBACKURL', '/sign-in/email', alice],
    ['redirectTo', 'INVALID_REDIRECTURL', '/request-password-reset', { email: alice.email }],
  ])('a foreign %s is refused', async (field, code, path, body) => {
    const device = app().device()
    for (const target of [
      'https://evil.example.org',
      '//evil.example.org',
      '/\\evil.example.org',
      '/%2fevil.example.org',
      'javascript:alert(1)',
      'https://user@app.example.com',
      'http://app.example.com/x',
      'app.example.com',
    ]) {
      const answer = await device.post(path, { ...body, [field]: target })
      expect({ target, status: answer.status, code: answer.body.code }).toEqual({ target, status: 403, code })
    }
  })

  it('a trusted callback is taken', async () => {
    const tested = app()
    await signUp(tested, alice)
    for (const callbackURL of ['/dash?a=b', 'https://app.example.com/dash', 'http://localhost:8787/']) {
      const { body } = await tested.device().post('/sign-in/email', { ...alice, callbackURL })
      expect(body.url).toBe(callbackURL)
    }
  })
})

describe('CORS', () => {
  const app = () => new TestApp({ trustedOrigins: ['https://app.example.com'] })
  const preflight = (origin: string) =>
    app().fetch(
      new Request('http://localhost:8787/api/auth/sign-in/email', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      }),
    )

  it('lets a trusted origin call with credentials', async () => {
    const { status, headers } = await preflight('https://app.example.com')
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    expect(headers.get('access-control-max-age')).toBe('86400')
    const answer = await app()
      .device()
      .get('/ok', { headers: { origin: 'https://app.example.com' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  it.each([
    ['x-api-key', {}],
    ['x-acme-key', { apiKeyHeaders: 'x-acme-key' }],
    ['x-old-key', { apiKeyHeaders: ['x-acme-key', 'x-old-key'] }],
  ])('lets a trusted origin send a key in %s, with %j', async (header, apiKey) => {
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': header }
    const { headers } = await new TestApp({ trustedOrigins: ['https://app.example.com'], apiKey }).fetch(
      new Request('http://localhost:8787/api/auth/get-session', {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example.com', ...asked },
      }),
    )
    expect(headers.get('access-control-allow-headers')?.split(',')).toContain(header)
  })

  it('reflects no other origin', async () => {
    for (const origin of ['https://evil.example.org', 'null']) {
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull()
      const answer = await app().device().get('/ok', { headers: { origin } })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('cookies of a parent domain, on https', () => {
  it('carry Domain, Secure and the prefix', async () => {
    const app = new TestApp(
      { cookies: { domain: 'example.com', prefix: 'acme' } },
      { BASE_URL: 'https://accounts.example.com' },
    )
    const { cookies } = await app
      .device()
      .post('/sign-up/email', alice, { headers: { origin: 'https://accounts.example.com' } })
    expect(cookies.find((line) => line.includes('session_token='))).toMatch(
      /^__Secure-acme\.session_token=[^;]+; Max-Age=604[78]\d\d; Domain=example\.com; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await app.mailbox())[0]!.links[0]).toMatch(/^https:\/\/accounts\.example\.com\//)
  })
})

describe('cookies.hostPrefix', () => {
  const secure = 'https://accounts.example.com'
  const started = (hostPrefix: boolean | 'and-earlier') =>
    new TestApp({ ...unlimited, cookies: { hostPrefix } }, { BASE_URL: secure })
  const own = { headers: { origin: secure } }
  const named = (device: Device, prefix: string) => [...device.jar.keys()].filter((name) => name.startsWith(prefix))

  it('names cookies __Host-, without a domain', async () => {
    const device = started(true).device()
    const { cookies } = await device.post('/sign-up/email', alice, own)
    for (const line of cookies)
      expect(line).toMatch(/^__Host-gatehouse\.[\w-]+=[^;]*; Max-Age=\d+; Path=\/; HttpOnly; Secure/)
    expect((await device.get(`${secure}/api/auth/get-session`)).body.user.email).toBe(alice.email)
  })

  it("'and-earlier' takes a session under its earlier name, which the next answer that sets it ends", async () => {
    const before = started(false).device()
    await before.post('/sign-up/email', alice, own)
    const session = async (app: TestApp, jar: Device['jar']) => {
      const device = app.device()
      for (const [name, value] of jar) device.jar.set(name, value)
      return { device, read: (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body }
    }
    expect((await session(started(true), before.jar)).read).toBeNull()
    const { device, read } = await session(started('and-earlier'), before.jar)
    expect(read.user.email).toBe(alice.email)
    await device.post('/update-user', { name: 'Alicia' }, own)
    expect(device.jar.has('__Secure-gatehouse.session_token')).toBe(false)
    expect(named(device, '__Host-gatehouse.session').sort()).toEqual([
      '__Host-gatehouse.session_data',
      '__Host-gatehouse.session_token',
    ])
    expect((await session(started(true), device.jar)).read.user.name).toBe('Alicia')
    const another = (await session(started('and-earlier'), before.jar)).device
    await another.post('/sign-out', {}, own)
    expect([...named(another, '__Secure-gatehouse.session'), ...named(another, '__Host-')]).toEqual([])
  })

  it('does not start together with a domain', () => {
    const cookies = { hostPrefix: true, domain: 'example.com' }
    expect(() => new TestApp({ cookies }, { BASE_URL: secure })).toThrow('cookies.hostPrefix')
  })

  it('changes nothing over http', async () => {
    const { cookies } = await new TestApp({ cookies: { hostPrefix: true } }).device().post('/sign-up/email', alice)
    expect(cookies.find((line) => line.includes('session_token='))).toMatch(/^gatehouse\.session_token=/)
  })
})

describe('Access-Control-Allow-Credentials', () => {
  it('is on no answer without an allowed origin, whatever the endpoint', async () => {
    const product = 'https://app.example.com'
    const app = new TestApp({ ...everything, ...unlimited, trustedOrigins: [product] }, {}, false)
    const headersOf = async (method: string, path: string, origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const answer = await app.fetch(new Request(`http://localhost:8787/api/auth${path}`, { method, headers }))
      return {
        origin: answer.headers.get('access-control-allow-origin'),
        credentials: answer.headers.get('access-control-allow-credentials'),
      }
    }
    for (const { method, path } of [...declaredEndpoints, { method: 'GET', path: '/nowhere' }]) {
      for (const asked of [method, 'OPTIONS']) {
        const { origin, credentials } = await headersOf(asked, path, 'https://evil.example.org')
        expect({ asked, path, origin: origin === '*' ? null : origin, credentials }).toEqual({
          asked,
          path,
          origin: null,
          credentials: null,
        })
      }
    }
    expect(await headersOf('GET', '/ok', 'null')).toEqual({ origin: null, credentials: null })
    for (const asked of ['GET', 'OPTIONS']) {
      expect(await headersOf(asked, '/ok', product)).toEqual({ origin: product, credentials: 'true' })
    }
  })
})

describe('HEAD', () => {
  it.each(['/ok', '/no-such-path'])('%s: the status and headers of GET, without a body', async (path) => {
    const app = new TestApp()
    const ask = (method: string) => app.respond(new Request(`${ownOrigin}/api/auth${path}`, { method }))
    const [got, head] = [await ask('GET'), await ask('HEAD')]
    expect(head.status).toBe(got.status)
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
    expect(head.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await got.text()).length).toBeGreaterThan(0)
    expect(await head.text()).toBe('')
  })
})

describe("cookies.sameSite 'none'", () => {
  const secure = 'https://accounts.example.com'
  const product = 'https://app.acme.test'
  const started = (changes: Config = {}) =>
    new TestApp(
      { ...unlimited, cookies: { sameSite: 'none' }, trustedOrigins: [product], ...changes },
      { BASE_URL: secure },
    )
  const fetched = { origin: product, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
  /** All but the accounts of the browser, which only the sign-in page reads. */
  const forProducts = (cookies: string[]) => {
    const [own, others] = [true, false].map((is) => cookies.filter((line) => line.includes('known_accounts=') === is))
    for (const line of own!) expect(line).toMatch(/; Secure; SameSite=Lax$/)
    expect(others!.length).toBeGreaterThan(1)
    return others!
  }

  it('is kept in the partition of the product whose page asks, and ends there and everywhere', async () => {
    const device = started().device()
    const { cookies } = await device.post('/sign-up/email', alice, { headers: fetched })
    for (const line of forProducts(cookies)) expect(line).toMatch(/; Secure; SameSite=None; Partitioned$/)
    const { cookies: cleared } = await device.post('/sign-out', {}, { headers: fetched })
    const ended = cleared.filter((line) => line.startsWith('__Secure-gatehouse.session_token='))
    expect(ended.map((line) => line.endsWith('; Partitioned')).sort()).toEqual([false, true])
    for (const line of ended) expect(line).toContain('Max-Age=0')
  })

  it('has no partition where the browser itself comes, or will come back for it', async () => {
    const app = started({ socialProviders: { github: { clientId: 'id', clientSecret: 'secret' } } })
    const own = await app.device().post('/sign-up/email', alice, { headers: { origin: secure } })
    for (const line of forProducts(own.cookies)) expect(line).toMatch(/; Secure; SameSite=None$/)
    const social = await app.device().post('/sign-in/social', { provider: 'github' }, { headers: fetched })
    expect(social.cookies.find((line) => line.includes('oauth_state'))).toMatch(/; SameSite=None$/)
  })

  it('leaves the check of the origin as it is, and is for https alone', async () => {
    const app = started()
    await app.device().post('/sign-up/email', alice, { headers: { origin: secure } })
    const elsewhere = { ...fetched, origin: 'https://evil.example.org' }
    expect((await app.device().post('/sign-in/email', alice, { headers: elsewhere })).status).toBe(403)
    expect(() => new TestApp({ cookies: { sameSite: 'none' } })).toThrow(/cookies\.sameSite.*BASE_URL/)
  })
})

describe('paths', () => {
  it('404 with a body for unknown ones and wrong methods', async () => {
    const device = new TestApp().device()
    for (const answer of [
      await device.get('/does-not-exist'),
      await device.post('/does-not-exist'),
      await device.get('/sign-in/email'),
      await device.get('/sign-in%2Femail'),
      await device.get('/api/other'),
    ]) {
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 404,
        body: { code: 'NOT_FOUND', message: 'Not Found' },
      })
    }
  })

  it('disabled ones are not found, however they are written', async () => {
    const app = new TestApp({ disabledPaths: ['/ok', '/sign-up/email'] })
    for (const path of ['/ok', '//ok', '/ok/', '/%6fk', '/OK']) {
      expect({ path, status: (await app.device().get(path)).status }).toEqual({ path, status: 404 })
    }
    expect((await app.device().post('/sign-up//email/', alice)).status).toBe(404)
    expect((await new TestApp().device().get('//%6fk/')).body).toEqual({ ok: true })
  })

  it('limits see one path, however it is written', async () => {
    const app = new TestApp()
    const device = app.device()
    const paths = ['/sign-in/email', '/sign-in//email', '/sign-in/email/', '/sign-in/%65mail']
    const statuses: number[] = []
    for (const path of paths) statuses.push((await device.post(path, { email: alice.email, password: 'x' })).status)
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

describe('every answer', () => {
  it('says how it may be used', async () => {
    const app = new TestApp()
    for (const answer of [
      await app.device().get('/ok'),
      await app.device().get('/nope'),
      await app.device().get('/error'),
    ]) {
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    }
  })
})

describe('bad input is a clear 4xx, and nothing is written', () => {
  const send = (body: string, headers: Record<string, string>) =>
    new TestApp(unlimited).device().post('/sign-up/email', body, { headers })
  const json = { 'content-type': 'application/json' }
  let deep = '1'
  for (let n = 0; n < 200; n++) deep = `[${deep}]`

  it.each([
    ['broken JSON', '{bad', json, 400],
    ['no JSON object', '"text"', json, 400],
    ['null', 'null', json, 400],
    ['no body', '', json, 400],
    ['no body and no type', '', {}, 400],
    ['a 1 MB string', JSON.stringify({ ...alice, name: 'x'.repeat(1_000_000) }), json, 413],
    ['a long name', JSON.stringify({ ...alice, name: 'x'.repeat(300) }), json, 400],
    ['deep nesting', JSON.stringify({ ...alice }).replace('}', `,"x":${deep}}`), json, 400],
    ['a wrong content type', JSON.stringify(alice), { 'content-type': 'application/octet-stream' }, 400],
    ['text', JSON.stringify(alice), { 'content-type': 'text/plain' }, 400],
    ['a broken form', 'x', { 'content-type': 'multipart/form-data' }, 400],
    ['wrong types', JSON.stringify({ name: {}, email: [], password: 5 }), json, 400],
    ['lone surrogates and nulls', JSON.stringify({ ...alice, email: '\ud800\u0000@example.com' }), json, 400],
  ])('%s', async (_what, body, headers, expected) => {
    const answer = await send(body, headers)
    expect(answer.status).toBe(expected)
    expect(answer.body).toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String) })
    expect(await rowOf('users')).toBeNull()
  })

  it('__proto__ and its friends are inert', async () => {
    const body = `{"__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}},${JSON.stringify(alice).slice(1)}`
    expect((await send(body, json)).status).toBe(200)
    expect(({} as { role?: string; x?: number }).role ?? ({} as { x?: number }).x).toBeUndefined()
    expect(await storedRow('users', 'role')).toEqual({ role: 'user' })
  })

  it('accepts a form from a client without cookies, and rejects one from a client with cookies', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const form = new URLSearchParams({ email: alice.email, password: alice.password }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await app.device().post('/sign-in/email', form, { headers })).status).toBe(200)
    const { status, body } = await device.post('/sign-in/email', form, { headers })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
  })
})

describe('limits per address and path', () => {
  const general = { window: 10, max: 5 }

  it.each(['memory', 'database', 'durable-object'] as const)('the general rule counts in %s', async (storage) => {
    const app = new TestApp({ rateLimit: { ...general, storage } })
    const device = app.device(`198.51.100.${storage.length}`)
    const answers = await Promise.all(Array.from({ length: 12 }, () => device.get('/get-session')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = answers.find(({ status }) => status === 429)!
    expect(Number(refused.headers.get('x-retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers.get('x-retry-after'))).toBeLessThanOrEqual(10)
    expect((await app.device().get('/get-session')).status).toBe(200)
    if (storage === 'database') {
      const record = await rowOf('rate_limits')
      expect(record).toMatchObject({ key: expect.stringContaining('/get-session'), count: 12 })
    }
    if (storage === 'memory') {
      const { keys } = await env.KV.list({ prefix: 'rate-limit:' })
      expect(keys).toHaveLength(1)
    }
  })

  it('get-session counts by the signed token, so that one back end may ask for all its users', async () => {
    const app = new TestApp({ rateLimit: general })
    const people = await Promise.all(
      Array.from({ length: 4 }, (_, n) => signUp(app, { ...alice, email: `person-${n}@example.com` })),
    )
    const backEnd = '203.0.113.77'
    const ask = (headers: Record<string, string>) => app.device(backEnd).get('/get-session', { headers })
    const cookieOf = (device: Device) => ({
      cookie: `gatehouse.session_token=${device.jar.get('gatehouse.session_token')}`,
    })
    for (const device of people) {
      for (let n = 0; n < 3; n++) expect((await ask(cookieOf(device))).status).toBe(200)
    }
    const bearer = { authorization: `Bearer ${people[0]!.jar.get('gatehouse.session_token')}` }
    const one = await Promise.all(Array.from({ length: 3 }, () => ask(bearer)))
    expect(one.map(({ status }) => status).sort()).toEqual([200, 200, 429])
    // A cookie without a valid signature counts by the address, even if it changes.
    const forged = await Promise.all(
      Array.from({ length: 7 }, (_, n) => ask({ cookie: `gatehouse.session_token=forged-${n}.signature` })),
    )
    expect(forged.filter(({ status }) => status === 429)).toHaveLength(2)
  })

  it('custom rules come first: another one, none, and by a pattern', async () => {
    const app = new TestApp({
      rateLimit: {
        customRules: { '/sign-in/email': { window: 10, max: 1 }, '/ok': { window: 10, max: 2 }, '/list-*': false },
      },
    })
    const device = app.device()
    const guess = { email: alice.email, password: 'x' }
    expect((await device.post('/sign-in/email', guess)).status).toBe(401)
    expect((await device.post('/sign-in/email', guess)).status).toBe(429)
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await device.get('/ok')).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('one IPv6 /64 is one caller, a mapped IPv4 address is that address, no address is one bucket', async () => {
    const app = new TestApp()
    const guess = { email: alice.email, password: 'x' }
    const tries = async (addresses: string[]) => {
      const statuses = []
      for (const ip of addresses) {
        const headers = { 'cf-connecting-ip': ip }
        statuses.push((await app.device().post('/sign-in/email', guess, { headers })).status)
      }
      return statuses
    }
    expect(await tries(['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3', '2001:db8:1:2:3:4:5:6'])).toEqual(
      [401, 401, 401, 429],
    )
    expect(await tries(['2001:db8:1:3::1'])).toEqual([401])
    expect(await tries(['192.0.2.9', '::ffff:192.0.2.9', '::ffff:c000:209', '192.0.2.9'])).toEqual([401, 401, 401, 429])
    expect(await tries(['', 'garbage', '999.1.1.1', ''])).toEqual([401, 401, 401, 429])
  })

  it('X-Forwarded-For counts only behind a configured proxy, and only up to the first stranger', async () => {
    const seen = async (app: TestApp, forwarded: string) => {
      const device = app.device('10.0.0.1')
      const answer = await device.post(
        '/sign-up/email',
        { ...alice, email: `u${Math.random()}@example.com` },
        {
          headers: { 'x-forwarded-for': forwarded },
        },
      )
      expect(answer.status).toBe(200)
      return (await device.get('/get-session')).body.session.ipAddress
    }
    expect(await seen(new TestApp(unlimited), '203.0.113.50')).toBe('10.0.0.1')
    const proxied = new TestApp({ ...unlimited, ipAddress: { trustedProxies: ['10.0.0.0/8'] } })
    expect(await seen(proxied, '1.1.1.1, 203.0.113.50, 10.0.0.7')).toBe('203.0.113.50')
    expect(await seen(proxied, '203.0.113.50, nonsense')).toBe('')
  })

  it('RATE_LIMIT=off in development turns them off, and leaves the budgets per account', async () => {
    const app = new TestApp({ passwordGuesses: { max: 6 } }, { RATE_LIMIT: 'off' })
    const device = app.device()
    const statuses = []
    for (let n = 0; n < 8; n++) {
      statuses.push((await device.post('/sign-in/email', { email: alice.email, password: 'x' })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429])
  })
})

describe('GET /error', () => {
  it('shows a sentence and the code, and no text that an attacker made up', async () => {
    const device = new TestApp().device()
    const known = await device.get('/error', { query: { error: 'state_not_found' } })
    expect(known.headers.get('content-type')).toContain('text/html')
    expect(known.body).toContain('<title>That did not work</title>')
    expect(known.body).toContain('Back to sign in')
    expect(known.body).toContain('<code>state_not_found</code>')
    const without = ['<script>alert(1)</script>', 'x'.repeat(65), 'a b', 'Call 0800-1234', 'Unknown', '']
    for (const query of [...without.map((error) => ({ error })), {}]) {
      const { body } = await device.get('/error', { query })
      expect(body).toContain('Something went wrong. Start again. If it keeps happening, contact support.')
      expect(body).toContain('Back to sign in')
      expect(body).not.toContain('<code>')
      expect(body).not.toContain('alert(1)')
    }
  })
})

describe('targets', () => {
  it.each(['/.//evil.example', '/x/..//evil.example', 'https://*.good.test', 'https://*'])(
    'a callback to %s is refused',
    async (callbackURL) => {
      const app = new TestApp({ ...unlimited, trustedOrigins: ['https://*.good.test'] })
      const { status, body } = await app.device().post('/sign-in/magic-link', { email: alice.email, callbackURL })
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'INVALID_CALLBACKURL' })
    },
  )

  it('one that a pattern covers is taken', async () => {
    const app = new TestApp({ ...unlimited, trustedOrigins: ['https://*.good.test'] })
    const callbackURL = 'https://app.good.test/home'
    expect((await app.device().post('/sign-in/magic-link', { email: alice.email, callbackURL })).status).toBe(200)
  })
})

describe('looking ahead', () => {
  it.each<Record<string, string>>([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { purpose: 'preview' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ])('%j follows no link', async (headers) => {
    const app = new TestApp(unlimited)
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    const link = await app.linkTo(alice.email)
    const ahead = await app.device().get(link, { headers })
    expect(ahead).toMatchObject({ status: 503, body: { code: 'PREFETCH_REFUSED' }, cookies: [] })
    expect((await app.device().get(link)).status).toBe(302)
  })
})

describe('Strict-Transport-Security', () => {
  it('is on every answer over https, errors included, and on none over http', async () => {
    const https = new TestApp(unlimited, { BASE_URL: 'https://accounts.example.com' })
    for (const path of ['/ok', '/list-sessions', '/nowhere', '/error']) {
      const { headers } = await https.device().get(path)
      expect({ path, strictTransportSecurity: headers.get('strict-transport-security') }).toEqual({
        path,
        strictTransportSecurity: 'max-age=31536000; includeSubDomains',
      })
    }
    expect((await new TestApp(unlimited).device().get('/ok')).headers.has('strict-transport-security')).toBe(false)
  })
})
