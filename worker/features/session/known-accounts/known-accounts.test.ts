import { afterEach, describe, expect, it, vi } from 'vitest'
import { open, seal } from '../../../kit/encrypt.ts'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
import { alice, bob, type Person, signIn, signUp } from '../../../testing/people.ts'
import { rowOf } from '../../../testing/rows.ts'
import { verifyAddresses } from '../../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const cookie = 'known_accounts'

afterEach(() => {
  vi.useRealTimers()
})

const accountsOf = async (device: Device, headers = {}) =>
  (await device.get('/known-accounts/list', { headers })).body.accounts as {
    id: string
    name: string | null
    hint: string
    method: string
  }[]

async function signedOut(app: TestApp, person: Person = alice, more: object = {}): Promise<Device> {
  const device = await signUp(app, person, more)
  await device.post('/sign-out')
  return device
}

const person = (n: number): Person => ({
  name: `Person${n} Family`,
  email: `p${n}@example.com`,
  password: 'password1234',
})

describe('GET /known-accounts/list', () => {
  it('200: the first word of the name, a part of the address, and the method, in a sealed cookie of this host', async () => {
    const app = new TestApp(unlimited)
    const device = await signedOut(app, { ...alice, name: 'Olga Ownerowitsch', email: 'olga@example.com' })
    const { cookies } = await device.post('/sign-in/email', { email: 'olga@example.com', password: alice.password })
    await device.post('/sign-out')
    const line = cookies.find((each) => each.startsWith(`gatehouse.${cookie}=`))!
    expect(line).toMatch(/=eyJ[^;]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(line).not.toMatch(/olga/i)
    const { body, io } = await device.get('/known-accounts/list')
    expect(body).toEqual({
      accounts: [{ id: expect.any(String), name: 'Olga', hint: 'o•••@example.com', method: 'email' }],
    })
    expect(io).toMatchObject({ d1: [0, 1] })
    expect(JSON.stringify(body)).not.toContain('olga@')
  })

  it('200: the last one first, at most five, and none twice', async () => {
    const app = new TestApp(unlimited)
    const device = app.device()
    for (const n of [1, 2, 3, 4, 5, 6]) await device.post('/sign-up/email', person(n))
    await device.post('/sign-in/email', person(3))
    await device.post('/sign-out')
    expect((await accountsOf(device)).map(({ name }) => name)).toEqual([3, 6, 5, 4, 2].map((n) => `Person${n}`))
  })

  it('200: without the account of the session', async () => {
    const app = new TestApp(unlimited)
    const device = await signedOut(app)
    await device.post('/sign-up/email', bob)
    expect((await accountsOf(device)).map(({ name }) => name)).toEqual([alice.name.split(' ')[0]])
  })

  it.each([
    ['without "stay signed in"', { rememberMe: false }],
    ['as a guest', null],
  ])('200: nothing of a sign-in %s', async (_what, body) => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const device = app.device()
    if (body) await device.post('/sign-in/email', { ...alice, ...body })
    else await device.post('/sign-in/anonymous')
    await device.post('/sign-out')
    expect(device.cookie(cookie)).toBeUndefined()
    expect(await accountsOf(device)).toEqual([])
  })

  it('200: a sign-in without "stay signed in" removes the account, and only that one', async () => {
    const app = new TestApp(unlimited)
    const device = await signedOut(app)
    await device.post('/sign-up/email', bob)
    await device.post('/sign-in/email', { ...alice, rememberMe: false })
    await device.post('/sign-out')
    expect((await accountsOf(device)).map(({ name }) => name)).toEqual([bob.name.split(' ')[0]])
  })

  it.each([['strict'], ['off']])('404: %s, and no cookie', async (how) => {
    const app = new TestApp({
      ...unlimited,
      ...(how === 'off' ? { knownAccounts: { enabled: false } } : { profile: 'strict' }),
    })
    const device = app.device()
    await device.post('/sign-up/email', alice)
    await verifyAddresses()
    await device.post('/sign-in/email', alice)
    expect(device.cookie('session_token')).toBeDefined()
    expect(device.cookie(cookie)).toBeUndefined()
    expect((await device.get('/known-accounts/list')).status).toBe(404)
  })

  it('200 []: 90 days after the last sign-in', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const device = await signedOut(new TestApp(unlimited))
    vi.setSystemTime(Date.now() + 89 * 86_400_000)
    expect(await accountsOf(device)).toHaveLength(1)
    vi.setSystemTime(Date.now() + 2 * 86_400_000)
    expect(await accountsOf(device)).toEqual([])
  })
})

describe('a cookie that is not ours', () => {
  const listOf = async (value: string, app = new TestApp(unlimited)) => {
    const device = app.device()
    device.jar.set(`gatehouse.${cookie}`, value)
    const { status, body } = await device.get('/known-accounts/list')
    return { status, accounts: body.accounts }
  }
  const nothing = { status: 200, accounts: [] }

  it.each([
    ['a text', 'x'],
    ['a list without a seal', btoa(JSON.stringify([{ id: 'a', name: '<script>', hint: 'x', method: 'email' }]))],
    ['ten thousand characters', 'eyJ'.padEnd(10_000, 'x')],
  ])('is an empty list: %s', async (_what, value) => {
    expect(await listOf(value)).toEqual(nothing)
  })

  it('is an empty list: one with a changed character, of another purpose, address or secret', async () => {
    const app = new TestApp(unlimited)
    const device = await signedOut(app)
    const value = device.jar.get(`gatehouse.${cookie}`)!
    expect((await listOf(value)).accounts).toHaveLength(1)
    expect(await listOf(`${value.slice(0, -10)}AAAAAAAAAA`)).toEqual(nothing)
    const list = JSON.stringify({ baseUrl: 'http://localhost:8787', accounts: [] })
    expect(await listOf(await seal([env.GATEHOUSE_SECRET!], list))).toEqual(nothing)
    const secret = { GATEHOUSE_SECRET: 'another-secret-0123456789-0123456789' }
    expect(await listOf(value, new TestApp(unlimited, secret))).toEqual(nothing)
    const address = { BASE_URL: 'http://localhost:9999' }
    expect(await listOf(value, new TestApp(unlimited, address))).toEqual(nothing)
    // The seal of a list cannot be opened as that of a token.
    await expect(open([env.GATEHOUSE_SECRET!], value)).rejects.toThrow()
  })

  it('signs no user in, when copied to another browser', async () => {
    const app = new TestApp(unlimited)
    const device = await signedOut(app)
    const thief = app.device()
    thief.jar.set(`gatehouse.${cookie}`, device.jar.get(`gatehouse.${cookie}`)!)
    const [account] = await accountsOf(thief)
    expect((await thief.post('/known-accounts/choose', { id: account!.id })).status).toBe(200)
    expect(thief.cookie('session_token')).toBeUndefined()
    expect((await thief.get('/get-session')).body).toBeNull()
    const wrong = { email: alice.email, password: 'wrong-password' }
    expect((await thief.post('/sign-in/email', wrong)).status).toBe(401)
  })

  it('is not read by a page of another origin, also a trusted one', async () => {
    const other = 'https://app.example.com'
    const app = new TestApp({ ...unlimited, trustedOrigins: [other] })
    const device = await signedOut(app)
    for (const headers of [
      { origin: other, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    ])
      expect(await accountsOf(device, headers)).toEqual([])
    const [account] = await accountsOf(device)
    const headers = { origin: other }
    expect((await device.post('/known-accounts/choose', { id: account!.id }, { headers })).status).toBe(404)
    await device.post('/known-accounts/forget', {}, { headers })
    expect(await accountsOf(device)).toHaveLength(1)
    const evil = { headers: { origin: 'https://evil.example' } }
    expect((await device.post('/known-accounts/forget', {}, evil)).status).toBe(403)
  })
})

describe('POST /known-accounts/choose', () => {
  it('200: the address of the sign-in, without a read of the account', async () => {
    const device = await signedOut(new TestApp(unlimited))
    const [account] = await accountsOf(device)
    const { status, body, io } = await device.post('/known-accounts/choose', { id: account!.id })
    expect({ status, body }).toEqual({
      status: 200,
      body: { identifier: alice.email, method: 'sign-up', credentialId: null },
    })
    expect(io).toMatchObject({ d1: [0, 0] })
  })

  it('200: the username, after a sign-in with it', async () => {
    const app = new TestApp(unlimited)
    const device = await signedOut(app, alice, { username: 'thename' })
    await device.post('/sign-in/username', { username: 'thename', password: alice.password })
    await device.post('/sign-out')
    const [account] = await accountsOf(device)
    expect(account).toMatchObject({ hint: 't•••', method: 'username' })
    expect((await device.post('/known-accounts/choose', { id: account!.id })).body.identifier).toBe('thename')
  })

  it('404: an id that is not in the list of this browser', async () => {
    const app = new TestApp(unlimited)
    const [account] = await accountsOf(await signedOut(app))
    const answer = await app.device().post('/known-accounts/choose', { id: account!.id })
    expect([answer.status, answer.body.code]).toEqual([404, 'KNOWN_ACCOUNT_NOT_FOUND'])
  })

  it('200: the same for an account that was deleted elsewhere: its sign-in is that of an unknown one', async () => {
    const app = new TestApp(unlimited)
    const device = await signedOut(app)
    const [account] = await accountsOf(device)
    const before = await device.post('/known-accounts/choose', { id: account!.id })
    await env.DB.prepare('delete from users').run()
    const after = await device.post('/known-accounts/choose', { id: account!.id })
    expect([after.status, after.body, after.cookies]).toEqual([before.status, before.body, before.cookies])
    const known = await device.post('/sign-in/email', alice)
    const unknown = await device.post('/sign-in/email', { ...alice, email: 'unknown@example.com' })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  })
})

describe('POST /known-accounts/forget', () => {
  it('200: one account, or all', async () => {
    const app = new TestApp(unlimited)
    const device = await signedOut(app)
    await device.post('/sign-up/email', bob)
    await device.post('/sign-out')
    const [first, second] = await accountsOf(device)
    await device.post('/known-accounts/forget', { id: first!.id })
    expect(await accountsOf(device)).toEqual([second])
    await device.post('/known-accounts/forget', {})
    expect(device.cookie(cookie)).toBeUndefined()
    expect((await device.post('/known-accounts/forget', {})).cookies).toEqual([])
  })
})

describe('the account of the list', () => {
  it('has its new name, if the change reaches the browser', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    await device.post('/update-user', { name: '<img src=x onerror=alert(1)> Long' })
    await device.post('/sign-out')
    expect(await accountsOf(device)).toMatchObject([{ name: '<img', hint: 'a•••@example.com' }])
  })

  it('leaves it with a ban, if the ban reaches the browser', async () => {
    const app = new TestApp({ ...unlimited, admin: { emails: [alice.email] } })
    const device = await signedOut(app, bob)
    await device.post('/sign-up/email', alice)
    await verifyAddresses()
    await device.post('/sign-in/email', alice)
    expect(await accountsOf(device)).toHaveLength(1)
    const { id: userId } = (await rowOf('users', { email: bob.email }))!
    expect((await device.post('/admin/ban-user', { userId })).status).toBe(200)
    expect(await accountsOf(device)).toEqual([])
  })

  it('keeps its former address in another browser, where the address is as an unknown one', async () => {
    const app = new TestApp(unlimited)
    const other = await signedOut(app)
    await env.DB.prepare("update users set email = 'new@example.com'").run()
    const [account] = await accountsOf(other)
    const { body } = await other.post('/known-accounts/choose', { id: account!.id })
    expect(body.identifier).toBe(alice.email)
    expect((await other.post('/sign-in/email', alice)).status).toBe(401)
  })

  it('leaves it with a reset of the password, and with a deletion', async () => {
    const app = new TestApp({ ...unlimited, user: { deleteUser: { enabled: true } } })
    const device = await signedOut(app)
    await device.post('/request-password-reset', { email: alice.email })
    const token = /reset-password\/(\w+)/.exec(await app.linkTo(alice.email))![1]
    await device.post('/reset-password', { newPassword: 'another-password', token })
    expect(device.cookie(cookie)).toBeUndefined()
    await device.post('/sign-in/email', { ...alice, password: 'another-password' })
    expect(device.cookie(cookie)).toBeDefined()
    await device.post('/delete-user', { password: 'another-password' })
    expect((await device.get('/get-session')).body).toBeNull()
    expect(device.cookie(cookie)).toBeUndefined()
  })

  it('has a bounded size, whatever the names are', async () => {
    const app = new TestApp(unlimited)
    const device = app.device()
    const local = 'a'.repeat(60)
    for (let n = 0; n < 5; n++) {
      const email = `${local}${n}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`
      await device.post('/sign-up/email', { ...alice, name: '🙂'.repeat(100), email })
      expect(device.cookie('session_token')).toBeDefined()
      expect(device.jar.get(`gatehouse.${cookie}`)!.length).toBeLessThanOrEqual(3500)
    }
    await device.post('/sign-out')
    const accounts = await accountsOf(device)
    expect(accounts.length).toBeGreaterThan(2)
    expect(accounts[0]!.name).toBe('🙂'.repeat(24))
    expect(
      (await signIn(app, { ...alice, email: `${local}0@${'b'.repeat(60)}.${'c'.repeat(60)}.example.com` })).jar.size,
    ).toBeGreaterThan(1)
  })
})
