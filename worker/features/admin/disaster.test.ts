import { drizzle } from 'drizzle-orm/d1'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator, root } from '../../testing/admins.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { copyDatabase } from '../../testing/database-copy.ts'
import { FaultInjector } from '../../testing/faults.ts'
import { type Answer, type Device, env, origin, outcome, type TestApp } from '../../testing/harness.ts'
import { alice, InitApp } from '../../testing/init-app.ts'
import { company } from '../../testing/organizations.ts'
import { signIn, signUp } from '../../testing/people.ts'
import { codeTo, tokenTo } from '../../testing/set-ups.ts'
import { verifyAddresses } from '../../testing/states.ts'
import { challenge, signUpProtected } from '../../testing/two-factor.ts'
import { beginRecovery } from './begin-recovery.store.ts'

/** The drills of guides/disaster.md. */

const config = { rateLimit: { enabled: false } }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

const emailOf = ({ body }: Answer): string | null => body?.user?.email ?? null
const session = async (device: Device) => emailOf(await device.get('/get-session'))
/** Past the session data cookie. */
const stored = async (device: Device) =>
  emailOf(await device.get('/get-session', { query: { disableCookieCache: 'true' } }))

/** The same browser at another isolate. */
function elsewhere(device: Device, app: TestApp): Device {
  const other = app.device()
  for (const [name, value] of device.jar) other.jar.set(name, value)
  return other
}

type Class = 'ONE_TIME' | 'COUNTER' | 'ENDED_SESSIONS' | 'LIVE'

/** A deployment whose objects of a class were all deleted. */
function without(name: Class): TestApp {
  const namespace = env[name] as unknown as { getByName(name: string): unknown }
  const emptied = { getByName: (object: string) => namespace.getByName(`new:${object}`) }
  return new InitApp(config, { [name]: emptied } as object)
}

async function emptyKv(): Promise<void> {
  const { keys } = await env.KV.list()
  await Promise.all(keys.map(({ name }) => env.KV.delete(name)))
}

const followed = async (app: TestApp, link: string) => {
  const device = app.device()
  await device.get(link)
  return device
}

const askLink = (app: TestApp) => app.device().post('/sign-in/magic-link', { email: alice.email, callbackURL: '/dash' })
const askCode = (app: TestApp) =>
  app.device().post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
const enterCode = (app: TestApp, otp: string) => app.device().post('/sign-in/email-otp', { email: alice.email, otp })

/** On a device that the user is known on: another place needs a code from the mailbox. */
async function again(device: Device, { email, password }: typeof alice): Promise<Device> {
  expect((await device.post('/sign-in/email', { email, password })).status).toBe(200)
  return device
}

describe('D1', () => {
  it('restored: nothing of that time opens an account, and its user signs in with a new password', async () => {
    const app = new InitApp(config)
    const device = await signUp(app, alice)
    await verifyAddresses()
    const restore = await copyDatabase()
    const restoredTo = Date.now()
    pass(1800)
    const newer = { ...alice, password: 'a-new-password-1' }
    await device.post('/change-password', { currentPassword: alice.password, newPassword: newer.password })
    const lost = await signIn(app, newer)
    await device.post('/sign-out')
    pass(1800)
    await restore()
    // The danger: the old password, and sessions that had ended.
    expect(await session(await again(elsewhere(device, new InitApp(config)), alice))).toBe(alice.email)
    await beginRecovery(drizzle(env.DB), { restoredTo, keep: [] }, new Date())
    await app.runEachMinute()
    pass(5)
    for (const one of [device, lost]) expect(await session(elsewhere(one, new InitApp(config)))).toBeNull()
    for (const { email, password } of [alice, newer])
      expect(outcome(await app.device().post('/sign-in/email', { email, password })).status).toBe(401)
    await app.device().post('/request-password-reset', { email: alice.email })
    const token = await tokenTo(app, alice.email)
    const chosen = { token, newPassword: 'a-new-password-2' }
    expect((await app.device().post('/reset-password', chosen)).status).toBe(200)
    expect(await session(await again(device, { ...alice, password: chosen.newPassword }))).toBe(alice.email)
  })

  it('without an answer: sessions go on, a sign-in is 503, and no cookie is deleted', async () => {
    const faults = new FaultInjector()
    const app = new InitApp(config, faults.bindings(), false)
    const device = await signUp(app, alice)
    faults.outage('D1')
    expect(await session(device)).toBe(alice.email)
    const refused = await device.post('/sign-in/email', alice)
    expect({ status: refused.status, cookies: refused.cookies }).toEqual({ status: 503, cookies: [] })
    faults.watch()
    expect(await stored(device)).toBe(alice.email)
  })

  it('full: a write fails, and users stay signed in', async () => {
    const app = new InitApp(config, {}, false)
    const device = await signUp(app, alice)
    await env.DB.prepare(
      "create trigger fails before insert on sessions begin select raise(abort, 'database or disk is full'); end",
    ).run()
    const refused = await app.device().post('/sign-in/email', alice)
    expect(refused.status).toBeGreaterThanOrEqual(500)
    expect(refused.cookies.filter((line) => line.includes('session_token'))).toEqual([])
    expect(await stored(device)).toBe(alice.email)
    await env.DB.prepare('drop trigger fails').run()
    expect(await session(await signIn(app, alice))).toBe(alice.email)
  })
})

describe('KV', () => {
  it('lost: links end, sessions go on, and a new link signs in', async () => {
    const app = new InitApp(config)
    const device = await signUp(app, alice)
    await verifyAddresses()
    await askLink(app)
    const link = await app.linkTo(alice.email)
    await emptyKv()
    expect(await session(await followed(app, link))).toBeNull()
    expect(await stored(device)).toBe(alice.email)
    expect(await session(await signIn(app, alice))).toBe(alice.email)
    await askLink(app)
    expect(await session(await followed(app, await app.linkTo(alice.email)))).toBe(alice.email)
  })
})

describe('Durable Objects', () => {
  it('ONE_TIME lost: pending codes end, used ones stay used, sessions go on, and a new code signs in', async () => {
    const app = new InitApp(config)
    const device = await signUp(app, alice)
    await verifyAddresses()
    await askCode(app)
    const used = await codeTo(app, alice.email)
    expect((await enterCode(app, used)).status).toBe(200)
    await app.clearMailbox()
    await askCode(app)
    const pending = await codeTo(app, alice.email)
    const after = without('ONE_TIME')
    for (const code of [used, pending]) expect((await enterCode(after, code)).status).toBe(400)
    expect(await stored(elsewhere(device, after))).toBe(alice.email)
    await app.clearMailbox()
    await askCode(after)
    expect((await enterCode(after, await codeTo(after, alice.email))).status).toBe(200)
  })

  it('COUNTER lost: one more set of guesses, no more', async () => {
    const app = new InitApp(config)
    await signUp(app, alice)
    const guesses = async (at: TestApp) => {
      let count = 0
      while ((await at.device().post('/sign-in/email', { ...alice, password: 'wrong-password' })).status === 401)
        count++
      return count
    }
    const allowed = await guesses(app)
    expect(allowed).toBeGreaterThan(0)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(429)
    const after = without('COUNTER')
    expect(await session(await signIn(after, alice))).toBe(alice.email)
    expect(await guesses(after)).toBeLessThanOrEqual(allowed)
  })

  it('ENDED_SESSIONS lost: an ended session is believed for five minutes at most, and by no read of D1', async () => {
    const app = new InitApp(config)
    const device = await signUp(app, alice)
    const copy = elsewhere(device, app)
    await device.post('/sign-out')
    pass(10)
    const after = without('ENDED_SESSIONS')
    expect(await stored(elsewhere(copy, after))).toBeNull()
    pass(300)
    expect(await session(elsewhere(copy, after))).toBeNull()
    // The new feed works.
    const next = await signIn(after, alice)
    const thief = elsewhere(next, after)
    await next.post('/sign-out')
    pass(5)
    expect(await session(elsewhere(thief, without('ENDED_SESSIONS')))).toBeNull()
  })

  it('LIVE lost: changes and sign-ins go on', async () => {
    const app = new InitApp(config)
    const device = await signUp(app, alice)
    const after = without('LIVE')
    const there = elsewhere(device, after)
    const cookie = [...there.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { upgrade: 'websocket', origin, cookie }
    const { status, webSocket } = await after.respond(new Request(`${origin}/api/auth/live`, { headers }))
    expect(status).toBe(101)
    webSocket!.accept()
    webSocket!.close()
    expect((await there.post('/update-user', { name: 'Alicia' })).status).toBe(200)
    expect(await session(await signIn(after, alice))).toBe(alice.email)
    expect((await there.post('/sign-out')).status).toBe(200)
    expect(await stored(there)).toBeNull()
  })
})

describe('R2', () => {
  it('lost: sign-ins and the newest records go on; a page that needs a lost object is 503, and none is invented', async () => {
    const app = new InitApp(config)
    const boss = await administrator(app)
    const at = await company(app, 'acme')
    for (const name of ['One', 'Two', 'Three'])
      await at.owner.device.post('/organization/update', { organizationId: at.id, data: { name } })
    await app.runScheduled()
    pass(31 * 86_400)
    const again = await signIn(app, root)
    await again.post('/update-user', { name: 'Newer' })
    await app.runScheduled()
    await app.runScheduled()
    const bucket = env.ARCHIVE!
    const { objects } = await bucket.list()
    expect(objects.length).toBeGreaterThan(0)
    await Promise.all(objects.map(({ key }) => bucket.delete(key)))
    expect(await session(await signIn(app, root))).toBe(root.email)
    expect((await again.get('/admin/audit', { query: { limit: '1' } })).status).toBe(200)
    const whole = await again.get('/admin/audit', { query: { limit: '200' } })
    expect(outcome(whole).status).toBe(503)
    expect(boss.id).toBeTruthy()
  })
})

describe('the secret', () => {
  const other = { GATEHOUSE_SECRET: 'another-secret-0123456789-0123456789-ab' }

  it('lost: sessions, links and codes end; passwords work; a second factor is removed by an administrator', async () => {
    const app = new InitApp(config)
    const { device, totpURI } = await signUpProtected(app, alice)
    await askLink(app)
    const link = await app.linkTo(alice.email)
    const { token } = (await device.get('/token')).body
    expect(token).toBeTruthy()
    const after = new InitApp(config, other as object)
    expect(await stored(elsewhere(device, after))).toBeNull()
    expect(await session(await followed(after, link))).toBeNull()
    const pending = await challenge(after, alice)
    pass(30)
    const refused = await pending.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    await env.DB.prepare('update users set two_factor_enabled = 0').run()
    const again = await signIn(after, alice)
    expect(await session(again)).toBe(alice.email)
    // Keys of tokens that nothing opens are replaced.
    expect((await again.get('/token')).body.token).toBeTruthy()
  })

  it('leaked: with the old one as an earlier secret users stay signed in; without it, what it signed ends', async () => {
    const app = new InitApp(config)
    const device = await signUp(app, alice)
    const both = { ...other, GATEHOUSE_PREVIOUS_SECRETS: 'test-secret-0123456789-0123456789-ab' }
    const idle = elsewhere(device, app)
    const during = elsewhere(device, new InitApp(config, both as object))
    pass(86_400)
    expect(await stored(during)).toBe(alice.email)
    const after = new InitApp(config, other as object)
    expect(await stored(elsewhere(during, after))).toBe(alice.email)
    expect(await stored(elsewhere(idle, after))).toBeNull()
  })
})
