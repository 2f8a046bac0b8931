import { describe, expect, it } from 'vitest'
import { ServerApiError, serverClient } from './client.ts'

const key = `gh_sk_${'a'.repeat(48)}`

/** A client whose requests get these answers, one after another, and the requests. */
function scene(...answers: (Response | Error)[]) {
  const sent: { url: string; headers: Headers; body: unknown; redirect: unknown }[] = []
  const client = serverClient({
    url: 'https://accounts.example.com/',
    key,
    fetch: async (input, init) => {
      const { headers, body, redirect } = init!
      sent.push({ url: String(input), headers: new Headers(headers), body: JSON.parse(String(body)), redirect })
      const answer = answers.shift()!
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { client, sent }
}

const json = (body: unknown, status = 200, headers = {}) => Response.json(body, { status, headers })
const soon = { 'retry-after': '0.01' }
const thrown = (work: Promise<unknown>) => work.then(() => null).catch((error: ServerApiError) => error)

describe('serverClient over HTTP', () => {
  it('sends the key to the path of the operation, and returns dates as Date', async () => {
    const at = '2026-10-01T00:00:00.000Z'
    const user = { id: 'u', name: at, createdAt: at, banExpires: at, metadata: { createdAt: at } }
    const { client, sent } = scene(json({ users: [user], total: 1, nextCursor: null }))
    const listed = await client.listUsers({ limit: 1 })
    expect(sent).toMatchObject([
      { url: 'https://accounts.example.com/api/server/list-users', body: { limit: 1 }, redirect: 'manual' },
    ])
    expect(sent[0]!.headers.get('authorization')).toBe(`Bearer ${key}`)
    expect(sent[0]!.headers.get('idempotency-key')).toBeNull()
    const date = new Date(at)
    expect(listed).toEqual({
      ok: true,
      result: {
        users: [{ id: 'u', name: at, createdAt: date, banExpires: date, metadata: { createdAt: at } }],
        total: 1,
        nextCursor: null,
      },
    })
  })

  it('a refusal is a value; an operation without one throws', async () => {
    const refusal = { code: 'SERVER_KEY_PERMISSION_MISSING', message: 'The server key does not have the permission' }
    const { client } = scene(json(refusal, 403), json(refusal, 403), json({ code: 'X', message: 'x' }, 500))
    expect(await client.getUser({ userId: 'u' })).toEqual({ ok: false, ...refusal })
    expect(await thrown(client.getSession({ cookie: 'c' }))).toMatchObject({ status: 403, code: refusal.code })
    expect(await thrown(client.getUser({ userId: 'u' }))).toBeInstanceOf(ServerApiError)
  })

  it('a refusal has what its answer says beside the code: the permission, the fields, the seconds to wait', async () => {
    const issues = [{ path: 'role', message: 'Unknown role' }]
    const refusal = { code: 'VALIDATION_ERROR', message: 'Invalid body', issues }
    const missing = { code: 'SERVER_KEY_PERMISSION_MISSING', message: 'x', permission: 'users:read' }
    const limited = () => json({ code: 'TOO_MANY_REQUESTS', message: 'x' }, 429, { 'retry-after': '60' })
    const { client } = scene(json(refusal, 400), json(missing, 403), limited(), json(missing, 403))
    const answers = [await client.getUser({ userId: 'u' }), await client.getUser({ userId: 'u' })]
    expect([...answers, await client.getUser({ userId: 'u' })].map((one) => !one.ok && one.details)).toEqual([
      { issues },
      { permission: 'users:read' },
      { retryAfter: 60 },
    ])
    expect(await thrown(client.getSession({}))).toMatchObject({ details: { permission: 'users:read' } })
    const date = json({ code: 'FORBIDDEN', message: 'x' }, 403, { 'retry-after': 'Sun, 29 Nov 2026 21:00:00 GMT' })
    expect(await scene(date).client.getUser({ userId: 'u' })).not.toHaveProperty('details')
  })

  it('a write has one Idempotency-Key for all its repetitions, and another call another one', async () => {
    const { client, sent } = scene(
      new Error('lost'),
      json({ code: 'IDEMPOTENT_REQUEST_IN_PROGRESS', message: 'x' }, 409, soon),
      json({ id: 'u' }),
      json({ id: 'u' }),
    )
    expect(await client.banUser({ userId: 'u' })).toEqual({ ok: true, result: { id: 'u' } })
    await client.banUser({ userId: 'u' })
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]])
    expect(keys[3]).not.toBe(keys[0])
  })

  it('withIdempotencyKey: the key of the program', async () => {
    const { client, sent } = scene(json({ id: 'u' }), json({ id: 'u' }))
    await client.withIdempotencyKey('webhook-17').banUser({ userId: 'u' })
    await client.withIdempotencyKey('webhook-17').getUser({ userId: 'u' })
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['webhook-17', null])
  })

  it('repeats after a fault and a limit, at most twice, and not after a refusal or a long pause', async () => {
    const fault = () => json({ code: 'UNAVAILABLE', message: 'x' }, 503, soon)
    const limited = () => json({ code: 'TOO_MANY_REQUESTS', message: 'x' }, 429, { 'retry-after': '60' })
    const one = scene(fault(), fault(), fault())
    expect(await thrown(one.client.getUser({ userId: 'u' }))).toMatchObject({ code: 'UNAVAILABLE', status: 503 })
    expect(one.sent).toHaveLength(3)
    const two = scene(limited())
    expect(await two.client.getUser({ userId: 'u' })).toMatchObject({ ok: false, code: 'TOO_MANY_REQUESTS' })
    const three = scene(json({ code: 'USER_NOT_FOUND', message: 'x' }, 404))
    await three.client.getUser({ userId: 'u' })
    const four = scene(json({ code: 'INTERNAL_SERVER_ERROR', message: 'x' }, 500))
    await thrown(four.client.getUser({ userId: 'u' }))
    expect([two, three, four].map(({ sent }) => sent.length)).toEqual([1, 1, 1])
  })

  it('throws for an address that is not Gatehouse, and for one that does not answer', async () => {
    const page = () => new Response('<h1>Not here</h1>', { status: 404 })
    const one = scene(page(), page(), page())
    expect(await thrown(one.client.getUser({ userId: 'u' }))).toMatchObject({ code: 'UNREACHABLE' })
    const moved = () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } })
    const two = scene(moved(), moved(), moved())
    expect(await thrown(two.client.getUser({ userId: 'u' }))).toMatchObject({ code: 'UNREACHABLE' })
    const reset = new Error('reset')
    const three = scene(reset, reset, reset)
    expect(await thrown(three.client.getUser({ userId: 'u' }))).toMatchObject({ code: 'UNREACHABLE', cause: reset })
  })

  it('takes arguments as over a binding', async () => {
    const { client, sent } = scene(json(null), json(null), json(null))
    await client.validateToken('https://api.example.com', 'token')
    await client.getSession(new Headers({ cookie: 'c' }), { disableCookieCache: true })
    await client.getSession({ apiKey: 'k' })
    expect(sent.map(({ body }) => body)).toEqual([
      { resource: 'https://api.example.com', token: 'token' },
      { headers: { cookie: 'c' }, disableCookieCache: true },
      { apiKey: 'k', disableCookieCache: false },
    ])
  })

  it.each([
    ['a wrong key', { url: 'https://accounts.example.com', key: 'x' }],
    ['no key', { url: 'https://accounts.example.com', key: undefined as unknown as string }],
    ['http over the network', { url: 'http://accounts.example.com', key }],
    ['no address', { url: 'accounts.example.com', key }],
  ])('refuses %s', (_what, options) => {
    expect(() => serverClient(options)).toThrow(TypeError)
  })

  it('accepts http for this machine, and where it is permitted', () => {
    for (const url of ['http://localhost:8787', 'http://127.0.0.1:1', 'http://[::1]:1']) serverClient({ url, key })
    serverClient({ url: 'http://gatehouse:8787', key, allowHttp: true })
  })

  it('refuses to run in a page', () => {
    Object.assign(globalThis, { document: {} })
    try {
      expect(() => serverClient({ url: 'https://accounts.example.com', key })).toThrow('browser')
    } finally {
      Reflect.deleteProperty(globalThis, 'document')
    }
  })
})

describe('serverClient over a service binding', () => {
  it('calls the methods of the binding with the same arguments', async () => {
    const calls: unknown[] = []
    const binding = {
      name: 'binding',
      async getUser(this: { name: string }, input: unknown) {
        calls.push([this.name, input])
        return { ok: true, result: { id: 'u' } }
      },
      async validateToken(...given: unknown[]) {
        calls.push(given)
        return null
      },
    }
    const client = serverClient({ binding })
    expect(await client.getUser({ userId: 'u' })).toEqual({ ok: true, result: { id: 'u' } })
    expect(await client.validateToken('r', 't')).toBeNull()
    expect(calls).toEqual([
      ['binding', { userId: 'u' }],
      ['r', 't'],
    ])
  })
})
