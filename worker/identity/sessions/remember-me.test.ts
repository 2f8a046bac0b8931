import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeOf } from '../../testing/authenticator.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'

/** The lifetime of each cookie, for each sign-in that takes `rememberMe`. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const phoneNumber = '+4915112345678'
const { email, password } = alice

/** They identify neither a user nor a session, and contain no personal data (decision 0260). */
const ofTheBrowser = ['gatehouse.known_device', 'gatehouse.bookmark']

const lasting = (lines: readonly string[]) =>
  lines
    .filter((line) => /Max-Age=[1-9]|Expires=/i.test(line))
    .map((line) => line.split('=')[0]!)
    .filter((name) => !ofTheBrowser.includes(name))

const set = (lines: readonly string[]) =>
  lines.filter((line) => !/Max-Age=0/.test(line)).map((line) => line.split('=')[0])

type Wish = { rememberMe?: boolean }
type Lines = readonly string[]

async function open(): Promise<TestApp> {
  const app = new TestApp({ rateLimit: { enabled: false }, session: { cookieCache: { enabled: true } } })
  const device = await signUp(app, alice, { username: 'alice' })
  await device.post('/phone-number/send-otp', { phoneNumber })
  const code = (await app.mailbox()).find(({ to }) => to === phoneNumber)!.codes[0]
  await device.post('/phone-number/verify', { phoneNumber, code, updatePhoneNumber: true })
  return app
}

const ways: [string, (device: Device, wish: Wish) => Promise<Lines>][] = [
  [
    '/sign-in/email',
    async (device, wish) => (await device.post('/sign-in/email', { email, password, ...wish })).cookies,
  ],
  [
    '/sign-in/username',
    async (device, wish) => (await device.post('/sign-in/username', { username: 'alice', password, ...wish })).cookies,
  ],
  [
    '/sign-in/phone-number',
    async (device, wish) => (await device.post('/sign-in/phone-number', { phoneNumber, password, ...wish })).cookies,
  ],
]

describe.each(ways)('%s', (_, enter) => {
  it('rememberMe false: no cookie of the session outlives the browser, re-issued ones included', async () => {
    const device = (await open()).device()
    const cookies = await enter(device, { rememberMe: false })
    expect(set(cookies)).toEqual(expect.arrayContaining(['gatehouse.session_token', 'gatehouse.session_data']))
    expect(lasting(cookies)).toEqual([])
    const again = await device.get('/get-session', { query: { disableCookieCache: 'true' } })
    expect(set(again.cookies)).toContain('gatehouse.session_data')
    expect(lasting(again.cookies)).toEqual([])
    vi.setSystemTime(Date.now() + 20 * 60_000)
    expect(lasting((await device.get('/get-session')).cookies)).toEqual([])
    const updated = await device.post('/update-user', { name: 'Alice B' })
    expect(set(updated.cookies)).toContain('gatehouse.session_data')
    expect(lasting(updated.cookies)).toEqual([])
  })

  it.each([true, undefined])('rememberMe %s: the cookies of the session stay', async (rememberMe) => {
    const device = (await open()).device()
    const cookies = await enter(device, rememberMe === undefined ? {} : { rememberMe })
    expect(lasting(cookies)).toEqual(expect.arrayContaining(['gatehouse.session_token', 'gatehouse.session_data']))
    const again = await device.get('/get-session', { query: { disableCookieCache: 'true' } })
    expect(lasting(again.cookies)).toContain('gatehouse.session_data')
  })
})

it('with a second factor: neither before nor after it', async () => {
  const app = new TestApp({ rateLimit: { enabled: false } })
  const owner = await signUp(app, alice)
  const { totpURI } = (await owner.post('/two-factor/enable', { password })).body
  await owner.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
  vi.setSystemTime(Date.now() + 120_000)
  const device = app.device()
  const first = await device.post('/sign-in/email', { email, password, rememberMe: false })
  expect(first.body.twoFactorRedirect).toBe(true)
  expect(lasting(first.cookies)).toEqual([])
  const second = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
  expect(second.status).toBe(200)
  expect(lasting(second.cookies)).toEqual([])
})
