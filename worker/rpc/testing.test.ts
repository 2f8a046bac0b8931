import { beforeEach, describe, expect, it } from 'vitest'
import { type GatehouseTesting, gatehouseTesting } from '../../client/sdk/testing.ts'
import { env, origin, TestApp } from '../testing/harness.ts'
import { tablesOf } from '../testing/schema.ts'

/** gatehouse-auth/testing against the application, as a product's tests inside workerd use it. */
const worker = (tested: () => TestApp, url = origin): GatehouseTesting =>
  gatehouseTesting({
    url,
    timeout: 200,
    fetch: async (request) => {
      const { status, headers, body } = await tested().fetch(request)
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return new Response(status === 204 ? null : text, { status, headers })
    },
  })

let app: TestApp
let accounts: GatehouseTesting
beforeEach(async () => {
  app = new TestApp({}, { TESTING: 'on' }, false)
  accounts = worker(() => app)
  return () => accounts.clock.resume()
})

const whoIs = async (cookie: string) =>
  (await app.device().get('/get-session', { headers: { cookie }, query: { disableCookieCache: 'true' } })).body?.user

describe('users', () => {
  it('have a verified address, a role, fields and a password that signs in', async () => {
    const ada = await accounts.createUser({ name: 'Ada', email: 'Ada@example.com', role: 'admin' })
    expect(ada).toMatchObject({ name: 'Ada', email: 'ada@example.com', twoFactor: null })
    const { status, body } = await app.device().post('/sign-in/email', { email: ada.email, password: ada.password })
    expect({ status, user: body.user }).toMatchObject({ status: 200, user: { id: ada.id, emailVerified: true } })
    const { headers } = await accounts.signIn(ada)
    expect(await whoIs(headers.cookie)).toMatchObject({ email: ada.email, role: 'admin' })
    const other = await accounts.createUser({ emailVerified: false, fields: { username: 'grace' } })
    expect(await whoIs((await accounts.signIn(other)).headers.cookie)).toMatchObject({
      emailVerified: false,
      username: 'grace',
    })
    expect(await app.mailbox()).toEqual([])
  })

  it('have a second factor, whose next code completes a sign-in with a password', async () => {
    const { email, password, twoFactor, id } = await accounts.createUser({ twoFactor: true })
    const device = app.device()
    expect((await device.post('/sign-in/email', { email, password })).body.twoFactorRedirect).toBe(true)
    const code = await twoFactor!.code()
    expect((await device.post('/two-factor/verify-totp', { code })).body.user.id).toBe(id)
    expect(twoFactor!.backupCodes.length).toBeGreaterThan(5)
    // A session of the helper needs no code.
    expect(await whoIs((await accounts.signIn({ id })).headers.cookie)).toMatchObject({ id })
  })

  it.each([
    ['a taken address', { email: 'taken@example.com' }, 'USER_ALREADY_EXISTS'],
    ['an unknown role', { role: 'emperor' }, 'ROLE_NOT_FOUND'],
    ['a short password', { password: 'short' }, 'PASSWORD_TOO_SHORT'],
    ['an unknown value', { admin: true } as object, 'VALIDATION_ERROR'],
  ])('are refused with %s', async (_what, wanted, code) => {
    await accounts.createUser({ email: 'taken@example.com' })
    await expect(accounts.createUser(wanted)).rejects.toThrow(code)
  })
})

describe('sessions', () => {
  it('are cookies for a browser, headers for fetch and a token', async () => {
    const ada = await accounts.createUser()
    const { cookies, headers, token } = await accounts.signIn(ada)
    const [cookie] = cookies.filter(({ name }) => name.endsWith('session_token'))
    expect(cookie).toMatchObject({ url: origin, httpOnly: true, secure: false, sameSite: 'Lax' })
    expect(cookie!.expires).toBeGreaterThan(Date.now() / 1000 + 86_400)
    expect(await whoIs(cookies.map(({ name, value }) => `${name}=${value}`).join('; '))).toMatchObject({ id: ada.id })
    const changed = await app.device().post('/update-user', { name: 'Countess' }, { headers: { ...headers } })
    expect(changed.status).toBe(200)
    const bearer = { authorization: `Bearer ${token}` }
    expect((await app.device().get('/get-session', { headers: bearer })).body.user.name).toBe('Countess')
  })

  it('are refused for a banned user and for an unknown one', async () => {
    const ada = await accounts.createUser()
    await app.serverApi().banUser({ userId: ada.id })
    await expect(accounts.signIn(ada)).rejects.toThrow('BANNED')
    await expect(accounts.signIn({ id: 'nothing' })).rejects.toThrow('USER_NOT_FOUND')
  })
})

it('organizations have an owner and members with roles, and become active', async () => {
  const [owner, bob] = [await accounts.createUser(), await accounts.createUser()]
  const acme = await accounts.createOrganization({ name: 'Acme, Inc.', owner, members: [{ user: bob, role: 'admin' }] })
  expect(acme.slug).toMatch(/^acme-inc-[a-z0-9]{8}$/)
  const { headers } = await accounts.signIn(bob, { organization: acme })
  const { body } = await app
    .device()
    .get('/organization/get-full-organization', { headers: { cookie: headers.cookie } })
  expect(body.members.map((member: { userId: string; role: string }) => [member.userId, member.role])).toEqual([
    [owner.id, 'owner'],
    [bob.id, 'admin'],
  ])
  expect(await app.mailbox()).toEqual([])
})

describe('messages', () => {
  it('are read once, newest first: a code, a link, a whole mail', async () => {
    const { email } = await accounts.createUser()
    const ask = () => app.device().post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    await ask()
    const code = await accounts.lastCode(email)
    expect((await app.device().post('/sign-in/email-otp', { email, otp: code })).status).toBe(200)
    await expect(accounts.lastCode(email)).rejects.toThrow(`no message with a code to ${email} within 200 ms`)
    await app.device().post('/forget-password', { email, redirectTo: '/reset-password' })
    expect(await accounts.lastLink(email)).toMatch(/^http:\/\/localhost:8787\/api\/auth\/reset-password\//)
    await ask()
    expect(await accounts.lastMail(email)).toMatchObject({ to: email, codes: [expect.stringMatching(/^\d{6}$/)] })
  })
})

describe('the clock', () => {
  it('expires codes in Durable Objects, links and sessions', async () => {
    const user = await accounts.createUser()
    const { email } = user
    await app.device().post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    const otp = await accounts.lastCode(email)
    const { headers } = await accounts.signIn(user)
    await accounts.clock.advance(301)
    const refused = await app.device().post('/sign-in/email-otp', { email, otp })
    expect(refused).toMatchObject({ status: 400 })
    expect(await whoIs(headers.cookie)).toMatchObject({ id: user.id })
    await accounts.clock.advance(8 * 86_400)
    expect(await whoIs(headers.cookie)).toBeUndefined()
  })

  it('stops at a time, moves while it is stopped, and returns to the machine', async () => {
    const at = new Date('2031-05-06T07:08:09Z')
    expect(await accounts.clock.freeze(at)).toEqual(at)
    await accounts.createUser({ email: 'later@example.com' })
    const row = await env.DB.prepare('select created_at as made from users').first<{ made: number }>()
    expect(new Date(row!.made).toISOString().slice(0, 10)).toBe('2031-05-06')
    expect(await accounts.clock.advance(60)).toEqual(new Date(at.getTime() + 60_000))
    await accounts.clock.resume()
    expect(Math.abs(Date.now() - performance.timeOrigin - performance.now())).toBeLessThan(60_000)
  })
})

it('a reset deletes everything except keys, and restarts budgets', async () => {
  app = new TestApp({ passwordGuesses: { max: 3 } }, { TESTING: 'on' }, false)
  const user = await accounts.createUser()
  await accounts.createOrganization({ name: 'Acme', owner: user })
  await accounts.signIn(user)
  const guess = () => app.device().post('/sign-in/email', { email: user.email, password: 'wrong-password' })
  for (let n = 0; n < 3; n++) await guess()
  expect((await guess()).status).toBe(429)
  await accounts.clock.freeze('2031-01-01')
  await accounts.reset()
  const kept = ['d1_migrations', 'jwks', 'stored_secrets', 'resealing', 'table_counts', 'count_progress']
  for (const name of (await tablesOf(env.DB)).filter((table) => !kept.includes(table))) {
    const { count } = (await env.DB.prepare(`select count(*) as count from "${name}"`).first<{ count: number }>())!
    expect({ name, count }).toEqual({ name, count: 0 })
  }
  expect((await env.KV.list()).keys).toEqual([])
  expect((await guess()).status).toBe(401)
  expect(new Date().getUTCFullYear()).toBeLessThan(2031)
})

describe('refusals', () => {
  it('production does not have the paths', async () => {
    for (const environment of [
      { TESTING: undefined },
      { TESTING: 'off' },
      { ENVIRONMENT: 'production', BASE_URL: 'https://accounts.example.com', TESTING: undefined },
    ]) {
      const mail = { transport: async () => undefined }
      const another = new TestApp({ mail, text: mail }, environment as object, false)
      const other = worker(() => another)
      await expect(other.createUser()).rejects.toThrow('is not a Gatehouse Worker for tests')
      await expect(other.reset()).rejects.toThrow('is not a Gatehouse Worker for tests')
      await expect(other.clock.advance(1)).rejects.toThrow('is not a Gatehouse Worker for tests')
    }
    expect(() => new TestApp({}, { ENVIRONMENT: 'production', BASE_URL: 'https://a.example', TESTING: 'on' })).toThrow(
      'TESTING: is for development only',
    )
  })

  it('another host is refused, and a page in a browser', async () => {
    await expect(worker(() => app, 'http://accounts.example.com').createUser()).rejects.toThrow('403')
    const ofBrowsers: Record<string, string>[] = [
      { origin },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '', 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of ofBrowsers) {
      const { status } = await app.device().post('/dev/testing/reset', {}, { headers })
      expect(status).toBe(403)
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: '' }
    const { status } = await app.device().post('/dev/testing/users', 'email=a@example.com', { headers: form })
    expect(status).toBe(400)
  })
})
