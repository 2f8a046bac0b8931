import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromMailbox } from '../../client/e2e/mailbox.ts'
import { alice } from '../testing/people.ts'
import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({
    config: { mcp: { enabled: true, resource: 'http://neighbour/mcp' } },
    beside: [{ configPath: './worker/testing/neighbour/wrangler.toml' }],
  })
})
afterAll(() => server?.close())

const post = (path: string, body: object) =>
  fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(body),
  })

interface Created {
  result: { id: string; key: string }
}

describe('the server API, from another Worker over a service binding', () => {
  it('set-password: refuses with code and message what the rules refuse', async () => {
    const { user } = (await (await post('/sign-up/email', alice)).json()) as { user: { id: string } }
    expect(await server.neighbour('setPassword', { userId: user.id, newPassword: 'short' })).toEqual({
      ok: false,
      code: 'PASSWORD_TOO_SHORT',
      message: 'Password too short',
    })
    expect(await server.neighbour('setPassword', { userId: user.id, newPassword: 'long-enough' })).toMatchObject({
      ok: false,
      code: 'USER_ALREADY_HAS_A_PASSWORD',
    })
    expect(await server.neighbour('setPassword', { userId: 'unknown', newPassword: 'long-enough' })).toMatchObject({
      ok: false,
      code: 'USER_NOT_FOUND',
    })
  })

  it('verify-api-key: valid with permissions, refused without, and RATE_LIMITED with the time to wait', async () => {
    const { user } = (await (await post('/sign-in/email', alice)).json()) as { user: { id: string } }
    const properties = { permissions: { files: ['read'] }, rateLimitMax: 2, rateLimitTimeWindow: 60_000 }
    const created = (await server.neighbour('createApiKey', {
      userId: user.id,
      name: 'deploy',
      ...properties,
    })) as Created
    expect(created).toMatchObject({ ok: true, result: { name: 'deploy', userId: user.id, ...properties } })
    const { key, id } = created.result
    const verify = (permissions: object) => server.neighbour('verifyApiKey', { key, permissions })
    expect(await verify({ files: ['read'] })).toMatchObject({ valid: true, error: null, key: { id, requestCount: 1 } })
    expect(await verify({ files: ['delete'] })).toEqual({
      valid: false,
      error: { code: 'KEY_NOT_FOUND', message: 'API Key not found' },
      key: null,
    })
    expect(await server.neighbour('verifyApiKey', { key })).toMatchObject({ valid: true })
    expect(await server.neighbour('verifyApiKey', { key })).toEqual({
      valid: false,
      error: { code: 'RATE_LIMITED', message: 'Rate limit exceeded.', details: { tryAgainIn: expect.any(Number) } },
      key: null,
    })
    expect(await server.neighbour('verifyApiKey', { key: 7 })).toMatchObject({ error: { code: 'INVALID_API_KEY' } })
  })

  it('create-api-key, update-api-key: what cannot be is refused with its code', async () => {
    const { user } = (await (await post('/sign-in/email', alice)).json()) as { user: { id: string } }
    const refused = async (method: string, input: object) =>
      ((await server.neighbour(method, input)) as { code?: string }).code
    const owner = { userId: user.id }
    expect(await refused('createApiKey', { ...owner, refillAmount: 5 })).toBe(
      'REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED',
    )
    expect(await refused('createApiKey', { userId: 'unknown' })).toBe('USER_NOT_FOUND')
    expect(await refused('createApiKey', {})).toBe('VALIDATION_ERROR')
    expect(await refused('createApiKey', { ...owner, remaining: 'many' })).toBe('VALIDATION_ERROR')
    expect(await refused('updateApiKey', { keyId: 'nope', name: 'x' })).toBe('API_KEY_NOT_FOUND')
    const { result } = (await server.neighbour('createApiKey', { ...owner, remaining: 1 })) as Created
    expect(await server.neighbour('updateApiKey', { keyId: result.id, remaining: 5 })).toMatchObject({
      ok: true,
      result: { remaining: 5 },
    })
    expect(await server.neighbour('deleteExpiredApiKeys', {})).toEqual({ success: true, error: null })
  })

  it('get-session: by cookie, by bearer token, by key, and null for a visitor', async () => {
    const signedIn = await post('/sign-in/email', alice)
    const { user } = (await signedIn.json()) as { user: { id: string } }
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const { result } = (await server.neighbour('createApiKey', { userId: user.id })) as Created
    const headers = [
      { cookie },
      { authorization: `Bearer ${signedIn.headers.get('set-auth-token')}` },
      { 'x-api-key': result.key },
      { apiKey: result.key },
    ]
    for (const sent of headers) {
      expect(await server.neighbour('getSession', sent)).toMatchObject({
        user: { id: user.id, email: alice.email },
        session: { userId: user.id },
      })
    }
    for (const sent of [{}, { cookie: 'gatehouse.session_token=forged.signature' }, { 'x-api-key': 'short' }]) {
      expect(await server.neighbour('getSession', sent)).toBeNull()
    }
  })

  it('set-role, ban-user and list-audit: how a first administrator is made, and what is written about it', async () => {
    const person = { ...alice, email: 'first@example.com' }
    const { user } = (await (await post('/sign-up/email', person)).json()) as { user: { id: string } }
    const userId = user.id
    expect(await server.neighbour('setRole', { userId, role: 'wizard' })).toMatchObject({
      ok: false,
      code: 'ROLE_NOT_FOUND',
    })
    expect(await server.neighbour('setRole', { userId, role: ['user', 'admin'] })).toMatchObject({
      ok: true,
      result: { id: userId, role: 'user,admin' },
    })
    expect(await server.neighbour('setRole', { userId, role: 'user' })).toMatchObject({
      ok: false,
      code: 'THE_LAST_ADMINISTRATOR_MUST_REMAIN',
    })
    const { user: other } = (await (await post('/sign-up/email', { ...alice, email: 'bad@example.com' })).json()) as {
      user: { id: string }
    }
    expect(await server.neighbour('banUser', { userId: other.id, reason: 'spam', expiresIn: 60 })).toMatchObject({
      ok: true,
      result: { banned: true, banReason: 'spam' },
    })
    const log = await server.neighbour('listAudit', { limit: 1 })
    expect(log).toMatchObject({
      ok: true,
      result: { entries: [{ action: 'ban-user', actorId: null, subjectId: other.id }], nextCursor: expect.any(String) },
    })
  })

  it('entitlements: returns what webhooks have reported of a user, and nothing for an unknown user', async () => {
    const database = await server.database()
    const { id } = (await database.prepare('select id from users').first<{ id: string }>())!
    await database.batch([
      database.prepare("insert into billing_customers values ('customer', ?, '{}', 1, 1, 0, 1)").bind(id),
      database.prepare(
        "insert into billing_entitlements values ('subscription', 's', 'customer', 1, '{\"productId\":\"pro\"}', 1, 1)",
      ),
    ])
    const nothing = { grantedBenefits: [], activeMeters: [] }
    expect(await server.neighbour('entitlementsOf', { userId: id })).toMatchObject({
      ok: true,
      result: { customer: {}, activeSubscriptions: [{ productId: 'pro' }], ...nothing },
    })
    expect(await server.neighbour('entitlementsOf', { userId: 'unknown' })).toMatchObject({
      ok: true,
      result: { customer: null, activeSubscriptions: [], ...nothing, asOf: null },
    })
    expect(await server.neighbour('redeliver', { id: 'none' })).toMatchObject({
      ok: false,
      code: 'JOB_NOT_FOUND',
    })
  })

  it('none of it is to be had over HTTP', async () => {
    for (const path of ['/set-password', '/setPassword', '/rpc/setPassword', '/api-key/verify', '/verifyApiKey']) {
      expect((await post(path, { newPassword: 'long-enough' })).status).toBe(404)
    }
  })
})

describe('the running Worker', () => {
  it('purges what has expired when the cron trigger fires', async () => {
    await server.scheduled()
    expect((await fetch(`${server.url}/api/auth/ok`)).status).toBe(200)
  })

  it('shows the mailbox in development', async () => {
    const mail = await fromMailbox(server, ([first]) => first)
    expect(Object.keys(mail).sort()).toEqual(
      ['channel', 'codes', 'html', 'id', 'links', 'sentAt', 'subject', 'text', 'to'].sort(),
    )
    const page = await fetch(`${server.url}/dev/mailbox`)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain(alice.email)
  })

  it('answers the app for its screens, and never for the API', async () => {
    const screen = await fetch(`${server.url}/sign-up`)
    expect(await screen.text()).toContain('<div id="app">')
    const first = await fetch(`${server.url}/sign-in`)
    expect(await first.text()).toMatch(/<input[^>]* name="identifier"/)
    const api = await fetch(`${server.url}/api/nothing`)
    expect({ status: api.status, body: await api.json() }).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'Not Found' },
    })
  })
})

describe('in production', () => {
  it('refuses to start with what is for development only, and says which', async () => {
    const refused = await startServer({
      vars: { ENVIRONMENT: 'production', BASE_URL: 'https://accounts.example.com', RATE_LIMIT: 'off', CONFIG: '' },
    })
      .then((started) => started.close())
      .catch((error: Error) => error.message)
    expect(refused).toContain('RATE_LIMIT')
  })
})

describe('the tool server of another Worker', () => {
  it('rejects a caller without a token, and says where tokens for it come from', async () => {
    expect(await server.neighbour('mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32000,
        message: 'Unauthorized: Authentication required',
        'www-authenticate': `Bearer scope="tools:call", resource_metadata="${server.url}/.well-known/oauth-protected-resource"`,
      },
      id: null,
    })
  })
})
