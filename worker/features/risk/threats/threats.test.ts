import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator, auditRows, plain } from '../../../testing/admins.ts'
import { type Device, env, outcome, TestApp } from '../../../testing/harness.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count, rowsOf } from '../../../testing/rows.ts'
import { verifyAddresses } from '../../../testing/states.ts'
import { passTime, stopClock } from '../../../testing/two-factor.ts'

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

const unlimited = { rateLimit: { enabled: false } } as const
/** Not a common password. */
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct-zebra-41-staple' }
const newApp = (risk: object = {}) => new TestApp({ ...unlimited, risk })

function from(app: TestApp, ip: string): Device {
  const device = app.device()
  device.headers = { 'cf-connecting-ip': ip }
  return device
}

const signInAs = (device: Device) => device.post('/sign-in/email', { email: ada.email, password: ada.password })
const isChallenged = ({ body }: { body: { twoFactorRedirect?: boolean } }) => body.twoFactorRedirect === true
const threatsOf = async (device: Device) => (await device.get('/admin/threats')).body
const blocked = { status: 403, code: 'NETWORK_BLOCKED' }

const calls = [
  ['GET', '/admin/threats', undefined],
  ['GET', '/admin/threat-counts', undefined],
  ['POST', '/admin/raise-risk-level', {}],
  ['POST', '/admin/block-network', { network: '203.0.113.0/24' }],
  ['POST', '/admin/unblock-network', { id: 'x' }],
  ['POST', '/admin/end-network-sessions', { network: '203.0.113.0/24' }],
  ['POST', '/admin/export-attacks', undefined],
] as const

describe('every call', () => {
  it.each(calls)(
    '%s %s: 401 without a session, 403 for a user, 404 with the assessment off',
    async (method, path, body) => {
      const app = newApp()
      const ask = (device: Device) => (method === 'GET' ? device.get(path) : device.post(path, body))
      expect((await ask(app.device())).status).toBe(401)
      expect((await ask((await plain(app, alice)).device)).status).toBe(403)
      if (path === '/admin/threat-counts') return
      const off = newApp({ level: 'off' })
      expect((await ask((await administrator(off)).device)).status).toBe(404)
    },
  )

  it.each(calls.filter(([, path]) => /raise|block|end-/.test(path)))(
    '%s %s: 403 without a recent authentication',
    async (_method, path, body) => {
      const app = newApp()
      const { device } = await administrator(app)
      await env.DB.prepare('update sessions set authenticated_at = 1').run()
      expect(outcome(await device.post(path, body))).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
    },
  )
})

describe('POST /admin/raise-risk-level', () => {
  it('every unknown device needs a code for an hour, in the compatible profile, too; known ones do not', async () => {
    const app = newApp()
    const { device: root, id } = await administrator(app)
    const owner = await signUp(app, ada)
    await verifyAddresses()
    await signInAs(owner)
    expect((await signInAs(app.device())).body.token).toBeTypeOf('string')
    expect((await root.post('/admin/raise-risk-level', {})).body).toEqual({ status: true })
    const answer = await signInAs(app.device())
    expect(isChallenged(answer)).toBe(true)
    expect({ d1: answer.io.d1![0], durable: answer.io.durable![0] }).toEqual({ d1: 2, durable: 1 })
    expect((await rowsOf('security_events')).at(-1)).toMatchObject({
      ...{ type: 'sign-in-challenged', details: { risk: 'challenge', reasons: 'new-device raised-level' } },
    })
    expect((await signInAs(owner)).body.token).toBeTypeOf('string')
    const raisedUntil = new Date(Date.now() + 3_600_000).toISOString()
    expect((await threatsOf(root)).raisedUntil).toBe(raisedUntil)
    expect(await auditRows()).toMatchObject([
      { action: 'admin.raise-risk-level', actor_id: id, after: JSON.stringify({ raisedUntil }) },
    ])
    passTime(3601)
    expect((await signInAs(app.device())).body.token).toBeTypeOf('string')
    expect((await threatsOf(root)).raisedUntil).toBeNull()
  })

  it('0 ends it, and another isolate learns both from KV', async () => {
    const app = newApp()
    const { device: root } = await administrator(app)
    await signUp(app, ada)
    await verifyAddresses()
    const other = () => newApp()
    await root.post('/admin/raise-risk-level', { duration: 600 })
    const elsewhere = other()
    expect(isChallenged(await signInAs(elsewhere.device()))).toBe(true)
    await root.post('/admin/raise-risk-level', { duration: 0 })
    // An isolate that knows the level believes it for some seconds.
    expect(isChallenged(await signInAs(elsewhere.device()))).toBe(true)
    passTime(21)
    await elsewhere.device().post('/sign-in/email', { email: ada.email, password: 'wrong-password' })
    expect((await signInAs(elsewhere.device())).body.token).toBeTypeOf('string')
    expect((await signInAs(other().device())).body.token).toBeTypeOf('string')
  })
})

describe('POST /admin/block-network', () => {
  it('visitors of a range can neither sign in nor sign up, read on, and keep their sessions', async () => {
    const app = newApp()
    const { device: root } = await administrator(app)
    const inside = from(app, '203.0.113.9')
    await inside.post('/sign-up/email', ada)
    await root.post('/admin/block-network', { network: '203.0.113.0/24', duration: 3600 })
    const visitor = from(app, '203.0.113.10')
    expect(outcome(await signInAs(visitor))).toEqual(blocked)
    expect(outcome(await visitor.post('/sign-up/email', { ...ada, email: 'eve@example.com' }))).toEqual(blocked)
    expect(outcome(await visitor.post('/request-password-reset', { email: ada.email }))).toEqual(blocked)
    expect((await visitor.get('/config')).status).toBe(200)
    expect((await inside.get('/get-session')).body.user.email).toBe(ada.email)
    expect((await inside.post('/update-user', { name: 'Ada L' })).status).toBe(200)
    expect((await inside.post('/sign-out')).status).toBe(200)
    expect((await signInAs(from(app, '203.0.114.10'))).status).toBe(200)
    expect(outcome(await signInAs(from(newApp(), '203.0.113.10')))).toEqual(blocked)
    passTime(3601)
    expect((await signInAs(visitor)).status).toBe(200)
  })

  it('an IPv6 range and a single address', async () => {
    const app = newApp()
    const { device: root } = await administrator(app)
    await signUp(app, ada)
    await root.post('/admin/block-network', { network: '2001:db8:7::/48' })
    await root.post('/admin/block-network', { network: '203.0.113.7' })
    expect(outcome(await signInAs(from(app, '2001:db8:7:1::5')))).toEqual(blocked)
    expect((await signInAs(from(app, '2001:db8:8:1::5'))).status).toBe(200)
    expect(outcome(await signInAs(from(app, '203.0.113.7')))).toEqual(blocked)
    expect((await signInAs(from(app, '203.0.113.8'))).status).toBe(200)
  })

  it('an autonomous system', async () => {
    const app = newApp()
    const { device: root } = await administrator(app)
    await signUp(app, ada)
    await root.post('/admin/block-network', { network: 'AS64500' })
    const signInAt = (asn: number) =>
      app.fetch(
        new Request('http://localhost:8787/api/auth/sign-in/email', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'cf-connecting-ip': '192.0.2.4' },
          body: JSON.stringify({ email: ada.email, password: ada.password }),
          cf: { asn },
        } as RequestInit),
      )
    expect(outcome(await signInAt(64_500))).toEqual(blocked)
    expect((await signInAt(64_501)).status).toBe(200)
  })

  it('replaces the earlier block of the same network, and unblocking ends it', async () => {
    const app = newApp()
    const { device: root } = await administrator(app)
    await signUp(app, ada)
    await root.post('/admin/block-network', { network: '203.0.113.0/24', duration: 3600 })
    await root.post('/admin/block-network', { network: '203.0.113.0/24', duration: 7200 })
    const { blocks } = await threatsOf(root)
    expect(blocks).toMatchObject([{ network: '203.0.113.0/24', createdBy: 'Root' }])
    await root.post('/admin/unblock-network', { id: blocks[0].id })
    expect((await signInAs(from(app, '203.0.113.10'))).status).toBe(200)
    expect((await threatsOf(root)).blocks).toEqual([])
    expect(outcome(await root.post('/admin/unblock-network', { id: blocks[0].id }))).toEqual({
      ...{ status: 404, code: 'BLOCK_NOT_FOUND' },
    })
    expect((await auditRows()).map(({ action }) => action)).toEqual([
      'admin.block-network',
      'admin.block-network',
      'admin.unblock-network',
    ])
  })

  it('400 for the own network, for other texts, and for one more than a hundred', async () => {
    const app = newApp()
    const { device: root } = await administrator(app)
    root.headers = { 'cf-connecting-ip': '192.0.2.77' }
    const block = async (network: string) => outcome(await root.post('/admin/block-network', { network }))
    expect(await block('192.0.2.0/24')).toEqual({ status: 400, code: 'BLOCK_CONTAINS_YOU' })
    for (const wrong of ['0.0.0.0/0', '10.0.0.0/7', '2000::/3', 'AS0', 'AS', 'example.com', '1.2.3', '', '127.1'])
      expect({ wrong, ...(await block(wrong)) }).toEqual({ wrong, status: 400, code: 'VALIDATION_ERROR' })
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 100)
       insert into defences (id, kind, network, created_by, created_at, expires_at)
       select 'd' || i, 'block', '198.51.100.' || i, 'x', 1, ?1 from n`,
    )
      .bind(Date.now() + 1e6)
      .run()
    expect(await block('203.0.113.0/24')).toEqual({ status: 400, code: 'TOO_MANY_BLOCKS' })
    expect(await block('198.51.100.4')).toEqual({ status: 200, code: null })
    passTime(1001)
    await app.runScheduled()
    // The replaced one ends later.
    expect(await count('defences')).toBe(1)
  })
})

describe('POST /admin/end-network-sessions', () => {
  it('ends the sessions of the range in pieces, not the own one, nor those of others', async () => {
    const app = newApp()
    const { device: root, id } = await administrator(app)
    await env.DB.prepare("update sessions set ip_address = '203.0.113.1'").run()
    const inside = from(app, '203.0.113.9')
    await inside.post('/sign-up/email', ada)
    const outside = from(app, '198.51.100.9')
    await signInAs(outside)
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2300)
       insert into sessions (id, token, user_id, ip_address, expires_at, created_at, updated_at)
       select 's' || i, 't' || i, ?1, iif(i % 2, '203.0.113.200', '198.51.100.1'), ?2, 1, 1 from n`,
    )
      .bind(id, Date.now() + 1e9)
      .run()
    expect((await root.post('/admin/end-network-sessions', { network: '203.0.113.0/24' })).status).toBe(200)
    for (let run = 0; run < 3; run++) await app.runScheduled()
    expect(await count('sessions')).toBe(1150 + 2)
    expect((await root.get('/get-session', { query: { disableCookieCache: 'true' } })).body).not.toBeNull()
    expect((await inside.get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
    expect((await outside.get('/get-session', { query: { disableCookieCache: 'true' } })).body).not.toBeNull()
    expect(await auditRows()).toMatchObject([
      { action: 'admin.end-network-sessions', after: JSON.stringify({ network: '203.0.113.0/24' }) },
    ])
  })
})

describe('a measured attack', () => {
  const fail = (app: TestApp, at: number, ip: string) =>
    from(app, ip).post('/sign-in/email', { email: `user${at}@example.com`, password: `wrong-${at}` })

  it('is listed once with its network, whatever isolate sees it, and mails administrators once a day', async () => {
    const risk = { networkFailures: { max: 3, window: 600 } }
    const app = newApp(risk)
    const { device: root } = await administrator(app)
    await verifyAddresses()
    for (let at = 0; at < 5; at++) await fail(app, at, '198.51.100.7')
    await fail(newApp(risk), 6, '198.51.100.8')
    expect((await threatsOf(root)).attacks).toMatchObject([
      { kind: 'network', network: '198.51.100.0/24', startedAt: new Date(Date.now()).toISOString() },
    ])
    const mails = async () => (await app.mailbox()).filter(({ subject }) => subject.startsWith('An attack'))
    expect(await mails()).toMatchObject([{ to: 'root@example.com' }])
    for (let at = 0; at < 5; at++) await fail(app, at, '203.0.113.7')
    expect((await threatsOf(root)).attacks).toHaveLength(2)
    expect(await mails()).toHaveLength(1)
    passTime(86_401)
    await app.runScheduled()
    for (let at = 0; at < 5; at++) await fail(app, at, '203.0.113.7')
    expect((await threatsOf(root)).attacks).toHaveLength(3)
    expect(await mails()).toHaveLength(2)
    const { body, headers } = await root.post('/admin/export-attacks')
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    const lines = body.trimEnd().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain(',network,203.0.113.0/24,')
  })

  it('of a password names no network and nothing of the password', async () => {
    const app = newApp({ passwordFailures: { max: 3, window: 3600 } })
    const { device: root } = await administrator(app)
    for (let at = 0; at < 5; at++)
      await from(app, `203.0.${at}.1`).post('/sign-in/email', {
        email: `u${at}@example.com`,
        password: 'same-password',
      })
    const { attacks } = await threatsOf(root)
    expect(attacks).toHaveLength(1)
    expect(attacks[0]).toMatchObject({ kind: 'password', network: null, asn: null, country: null })
    expect(Object.keys(attacks[0])).not.toContain('key')
  })

  it('old ones are deleted after 90 days', async () => {
    const app = newApp({ networkFailures: { max: 1, window: 600 } })
    for (let at = 0; at < 3; at++) await fail(app, at, '198.51.100.7')
    expect(await count('attacks')).toBe(1)
    passTime(90 * 86_400 + 1)
    await app.runScheduled()
    expect(await count('attacks')).toBe(0)
  })
})

describe('GET /admin/threat-counts', () => {
  it('counts failures, challenges, answers and refusals by hour and day, and what each reason leads to', async () => {
    const app = newApp({ level: 'challenge', challengeFrom: 2 })
    const { device: root } = await administrator(app)
    await signUp(app, ada)
    await verifyAddresses()
    await app.device().post('/sign-in/email', { email: ada.email, password: 'wrong-password' })
    const device = app.device()
    await signInAs(device)
    await device.post('/two-factor/send-otp')
    await device.post('/two-factor/verify-otp', { code: (await app.mailbox())[0]!.codes[0] })
    await signInAs(app.device())
    const refusing = newApp({ level: 'refuse', challengeFrom: 1, refuseFrom: 2 })
    expect((await signInAs(refusing.device())).status).toBe(403)
    passTime(300)
    await app.runScheduled()
    await app.runScheduled()
    for (const period of ['hours', 'days']) {
      const { body } = await root.get('/admin/threat-counts', { query: { period } })
      const sums = Object.fromEntries(
        body.series.map(({ name, counts }: { name: string; counts: number[] }) => [
          name,
          counts.reduce((sum, n) => sum + n, 0),
        ]),
      )
      expect({ period, ...sums }).toEqual({
        ...{ period, 'sign-in-failed': 1, challenged: 2, answered: 1, noticed: 0, refused: 1 },
      })
      expect(body.series[0].counts).toHaveLength(period === 'hours' ? 48 : 30)
      expect(body.reasons).toContainEqual({
        ...{ reason: 'new-device', challenged: 2, answered: 1, noticed: 0, refused: 1 },
      })
    }
  })
})
