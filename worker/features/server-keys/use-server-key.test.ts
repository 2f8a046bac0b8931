import { describe, expect, it, vi } from 'vitest'
import { days, minutes, ms } from '../../kit/time.ts'
import { administrator, auditRows, plain } from '../../testing/admins.ts'
import { env, outcome, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count, deleteRows, rowOf, rowsOf, updateRows } from '../../testing/rows.ts'
import { backEnd, callerWith } from '../../testing/server-keys.ts'
import { idOf } from '../../testing/states.ts'

const newApp = (config = {}) => new TestApp({ rateLimit: { enabled: false }, ...config })

const scene = async () => {
  const app = newApp()
  const { id } = await plain(app, alice)
  return { app, id }
}

/** Another text of the form of a key. */
const otherKey = async (app: TestApp) => {
  const { id, key } = await backEnd(app)
  await deleteRows('server_keys', { id })
  return key
}

describe('a request of a server key', () => {
  it('200 with the permission, and the last use is written at most once a minute', async () => {
    const { app, id } = await scene()
    const server = await backEnd(app, ['users:read'])
    expect(await server.call('getUser', { userId: id })).toMatchObject({ status: 200, body: { email: alice.email } })
    const first = (await rowOf('server_keys'))!.lastUsedAt!
    expect(Date.now() - first.getTime()).toBeLessThan(10_000)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_000 })
    await server.call('getUser', { userId: id })
    expect((await rowOf('server_keys'))!.lastUsedAt).toEqual(first)
    vi.setSystemTime(Date.now() + ms(minutes(1)))
    await server.call('getUser', { userId: id })
    expect((await rowOf('server_keys'))!.lastUsedAt).not.toEqual(first)
    vi.useRealTimers()
  })

  it('401 without a key, with a session, and with a string that is not a key of this deployment', async () => {
    const { app, id } = await scene()
    const ask = async (authorization: string) => {
      const device = app.device()
      device.headers = { authorization }
      return outcome(await device.post('/api/server/get-user', { userId: id }))
    }
    const { key } = await backEnd(app)
    expect(await ask('')).toEqual({ status: 401, code: 'SERVER_KEY_REQUIRED' })
    expect(await ask(`Basic ${key}`)).toEqual({ status: 401, code: 'SERVER_KEY_REQUIRED' })
    const wrong = [await otherKey(app), `${key}x`, key.slice(0, -1), key.replace('gh_sk_', 'gh_pk_'), 'x', '%00']
    for (const text of wrong) expect(await ask(`Bearer ${text}`)).toEqual({ status: 401, code: 'INVALID_SERVER_KEY' })
    const boss = await administrator(app)
    const { body } = await boss.device.get('/get-session')
    expect(await ask(`Bearer ${body.session.token}`)).toEqual({ status: 401, code: 'INVALID_SERVER_KEY' })
    expect(outcome(await boss.device.post('/api/server/get-user', { userId: id }))).toEqual({
      status: 401,
      code: 'SERVER_KEY_REQUIRED',
    })
  })

  it('401 for an expired key', async () => {
    const { app, id } = await scene()
    const server = await backEnd(app, ['users:read'], { expiresAt: new Date(Date.now() - 1) })
    expect(outcome(await server.call('getUser', { userId: id }))).toEqual({ status: 401, code: 'SERVER_KEY_EXPIRED' })
  })

  it('403 with any header of a browser, and no page of any origin may ask', async () => {
    const { app, id } = await scene()
    const server = await backEnd(app)
    const signs = [
      ['origin', 'http://localhost:8787'],
      ['origin', 'null'],
      ['sec-fetch-site', 'none'],
    ] as const
    for (const [name, value] of signs) {
      expect(outcome(await server.call('getUser', { userId: id }, { [name]: value }))).toEqual({
        status: 403,
        code: 'SERVER_KEY_IN_BROWSER',
      })
    }
    const preflight = await app.fetch(
      new Request('http://localhost:8787/api/server/get-user', {
        method: 'OPTIONS',
        headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
      }),
    )
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect(preflight.status).toBe(404)
  })

  it('403 from an address outside of the list: IPv4, IPv6, ranges', async () => {
    const { app, id } = await scene()
    const asks = async (addresses: string[], ip: string) => {
      const server = await backEnd(app, ['users:read'], { addresses }, ip)
      return outcome(await server.call('getUser', { userId: id })).code
    }
    const refused = 'SERVER_KEY_ADDRESS_NOT_ALLOWED'
    expect(await asks(['203.0.113.7'], '203.0.113.7')).toBeNull()
    expect(await asks(['203.0.113.7'], '203.0.113.8')).toBe(refused)
    expect(await asks(['198.51.100.1', '203.0.113.0/24'], '203.0.113.200')).toBeNull()
    expect(await asks(['203.0.113.0/24'], '203.0.114.1')).toBe(refused)
    expect(await asks(['2001:db8::/32'], '2001:db8:1::5')).toBeNull()
    expect(await asks(['2001:db8::/32'], '2001:db9::1')).toBe(refused)
    expect(await asks(['203.0.113.7'], '::ffff:203.0.113.7')).toBeNull()
    expect(await asks(['0.0.0.0/0'], 'unknown')).toBe(refused)
  })

  it('403 without the permission of the operation, which the answer names', async () => {
    const { app, id } = await scene()
    const server = await backEnd(app, ['users:read'])
    const answer = await server.call('banUser', { userId: id })
    expect(outcome(answer)).toEqual({ status: 403, code: 'SERVER_KEY_PERMISSION_MISSING' })
    expect(answer.body.permission).toBe('users:write')
    expect((await rowOf('users'))!.banned).toBe(false)
  })

  it('a server key opens nothing else: no endpoint of users and administrators, and no creation of keys', async () => {
    const { app } = await scene()
    const { device } = await backEnd(app)
    for (const path of ['/get-session', '/admin/list-users', '/admin/server-keys', '/api-key/list']) {
      const { status, body } = await device.get(path)
      expect({ path, known: status === 200 && body !== null }).toEqual({ path, known: false })
    }
    const { status } = await device.post('/admin/create-server-key', { name: 'x', permissions: ['users:read'] })
    expect(status).toBe(401)
    expect(await count('server_keys')).toBe(1)
  })

  it('429 above the limit of the key, and for an address that tries unknown keys', async () => {
    const app = new TestApp({ serverKeys: { rateLimit: { max: 3, window: 60 } } })
    const server = await backEnd(app, ['users:read'])
    const other = await backEnd(app, ['users:read'])
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await server.call('getUser', { userId: 'none' })).status)
    expect(statuses).toEqual([404, 404, 404, 429])
    expect((await server.call('getUser', { userId: 'none' })).headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await other.call('getUser', { userId: 'none' })).status).toBe(404)
    const guesses = callerWith(app, '', await otherKey(app))
    for (let n = 0; n < 30; n++) await guesses.call('getUser', { userId: 'none' })
    expect((await guesses.call('getUser', { userId: 'none' })).status).toBe(429)
  })

  it('the audit log names the key, and its address', async () => {
    const { app, id } = await scene()
    const server = await backEnd(app, ['users:write'], { name: 'billing' })
    await server.call('banUser', { userId: id, reason: 'spam' })
    const [line] = await auditRows()
    expect(line).toMatchObject({ action: 'ban-user', actor_id: null, ip_address: server.device.ip })
    expect(JSON.parse(line!.after)).toMatchObject({ banned: true, serverKey: 'billing' })
  })
})

describe('Idempotency-Key', () => {
  const person = { name: 'New', email: 'new@example.com', password: 'password-of-new' }
  const once = { 'idempotency-key': 'sign-up-17' }

  it('the same key and body get the same answer, and the operation runs once', async () => {
    const app = newApp()
    const server = await backEnd(app)
    const first = await server.call('createUser', person, once)
    const second = await server.call('createUser', person, once)
    expect(first.status).toBe(200)
    expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body })
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect(await count('users')).toBe(1)
    expect(outcome(await server.call('createUser', person))).toEqual({ status: 400, code: 'USER_ALREADY_EXISTS' })
  })

  it('200 for two at once: one runs, the other gets 409 and then the same answer', async () => {
    const app = newApp()
    const server = await backEnd(app)
    const answers = await Promise.all([1, 2, 3].map(() => server.call('createUser', person, once)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(200)
    for (const { status, body, headers } of answers.filter((one) => one.status !== 200)) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'IDEMPOTENT_REQUEST_IN_PROGRESS' })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await count('users')).toBe(1)
  })

  it('409 for another body or operation; another server key has keys of its own', async () => {
    const app = newApp()
    const server = await backEnd(app)
    const { body } = await server.call('createUser', person, once)
    const other = { ...person, email: 'other@example.com' }
    const reused = { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' }
    expect(outcome(await server.call('createUser', other, once))).toEqual(reused)
    expect(outcome(await server.call('banUser', { userId: body.id }, once))).toEqual(reused)
    expect((await (await backEnd(app)).call('createUser', other, once)).status).toBe(200)
  })

  it('a refusal is an answer too; a read ignores the header; 400 for a wrong one', async () => {
    const app = newApp()
    const server = await backEnd(app)
    const missing = { status: 404, code: 'USER_NOT_FOUND' }
    expect(outcome(await server.call('banUser', { userId: 'none' }, once))).toEqual(missing)
    expect(await server.call('banUser', { userId: 'none' }, once)).toMatchObject({
      status: 404,
      body: { code: missing.code },
    })
    expect((await server.call('listUsers', {}, once)).status).toBe(200)
    for (const key of ['', 'x'.repeat(256), 'a b', 'é'].filter(Boolean)) {
      expect(outcome(await server.call('banUser', { userId: 'none' }, { 'idempotency-key': key }))).toEqual({
        status: 400,
        code: 'INVALID_IDEMPOTENCY_KEY',
      })
    }
    expect(await count('server_requests')).toBe(1)
  })

  it('a run that ended without an answer leaves the key for a retry after a minute', async () => {
    const app = newApp()
    const server = await backEnd(app)
    await server.call('createUser', person, once)
    await updateRows('server_requests', { status: null, answer: null, hasEffect: false })
    await deleteRows('users')
    expect(outcome(await server.call('createUser', person, once)).code).toBe('IDEMPOTENT_REQUEST_IN_PROGRESS')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms(minutes(1)) })
    expect((await server.call('createUser', person, once)).status).toBe(200)
    vi.useRealTimers()
    expect(await count('users')).toBe(1)
  })

  it('an answer that was lost after the effect: 409 after a minute, and no second effect', async () => {
    const app = newApp()
    const server = await backEnd(app)
    const { id } = await plain(app, alice)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await env.DB.exec(
      "create trigger broken before update of answer on server_requests begin select raise(abort, 'full'); end",
    )
    expect((await server.call('createApiKey', { userId: id }, once)).status).toBe(200)
    await env.DB.exec('drop trigger broken')
    const again = async () => outcome(await server.call('createApiKey', { userId: id }, once))
    expect((await again()).code).toBe('IDEMPOTENT_REQUEST_IN_PROGRESS')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms(minutes(1)) })
    const lost = { status: 409, code: 'IDEMPOTENT_ANSWER_LOST' }
    expect([await again(), await again()]).toEqual([lost, lost])
    vi.useRealTimers()
    expect(await count('api_keys')).toBe(1)
  })

  it('a run whose request another run has taken over has no effect', async () => {
    const app = newApp()
    const server = await backEnd(app)
    await env.DB.exec(
      'create trigger overtaking after insert on server_requests begin update server_requests set locked_until = 1; end',
    )
    const answer = outcome(await server.call('createUser', person, once))
    await env.DB.exec('drop trigger overtaking')
    expect(answer).toEqual({ status: 409, code: 'IDEMPOTENT_REQUEST_IN_PROGRESS' })
    expect(await count('users')).toBe(0)
  })

  it('a fault releases the key, so that the retry runs', async () => {
    const app = newApp()
    const server = await backEnd(app)
    await env.DB.exec("create trigger broken before insert on users begin select raise(abort, 'full'); end")
    expect((await server.call('createUser', person, once)).status).toBe(500)
    await env.DB.exec('drop trigger broken')
    expect((await server.call('createUser', person, once)).status).toBe(200)
  })

  it('stores no password and no response in plain text, and the cron trigger deletes it after a day', async () => {
    const app = newApp()
    const server = await backEnd(app)
    await server.call('createUser', person, once)
    const text = JSON.stringify(await rowsOf('server_requests'))
    expect(text).not.toContain(person.password)
    expect(text).not.toContain(person.email)
    expect(text).not.toContain('sign-up-17')
    await app.runScheduled()
    expect(await count('server_requests')).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms(days(1)) })
    await app.runScheduled()
    vi.useRealTimers()
    expect(await count('server_requests')).toBe(0)
  })

  it('the key of an expired request begins again, and an expired server key is deleted after 30 days', async () => {
    const app = newApp()
    const server = await backEnd(app)
    const { body } = await server.call('createUser', person, once)
    await updateRows('server_requests', { expiresAt: new Date(1) })
    expect(outcome(await server.call('deleteUser', { userId: body.id }, once)).status).toBe(200)
    await updateRows('server_keys', { expiresAt: new Date(Date.now() - ms(days(29))) })
    await app.runScheduled()
    expect(await count('server_keys')).toBe(1)
    await updateRows('server_keys', { expiresAt: new Date(Date.now() - ms(days(31))) })
    await app.runScheduled()
    expect(await count('server_keys')).toBe(0)
  })
})

it('getSession over HTTP: by cookie, bearer token and API key; null for a visitor', async () => {
  const app = newApp()
  const device = await signUp(app, alice)
  const token = device.jar.get('gatehouse.session_token')!
  const server = await backEnd(app, ['sessions:read', 'api-keys:write'])
  const made = await server.call('createApiKey', { userId: await idOf(alice.email) })
  const ways = [
    { cookie: `gatehouse.session_token=${token}` },
    { headers: { cookie: `gatehouse.session_token=${token}` } },
    { authorization: `Bearer ${token}` },
    { apiKey: made.body.key },
    { headers: { 'x-api-key': made.body.key } },
  ]
  for (const way of ways) {
    expect((await server.call('getSession', way)).body?.user.email).toBe(alice.email)
  }
  for (const way of [{}, { apiKey: 'none' }, { headers: { authorization: `Bearer ${server.key}` } }]) {
    expect((await server.call('getSession', way)).body).toBeNull()
  }
  expect((await server.call('getSession', { headers: { 'bad name': 'x' } })).status).toBe(400)
})
