import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../configuration/read-config.ts'
import { administrator } from '../../testing/admins.ts'
import { config as deployed } from '../../testing/config.ts'
import { type Device, env, origin, outcome, TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { errorAt, locationOf, walk } from '../../testing/outside/walk.ts'
import { SoftwareAuthenticator } from '../../testing/passkeys.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count } from '../../testing/rows.ts'
import { codeTo } from '../../testing/set-ups.ts'
import { userOptions } from '../users/users.config.ts'

afterEach(() => vi.restoreAllMocks())

const config = (disposableAddresses: object = {}) => ({
  rateLimit: { enabled: false },
  passkey: { signUp: true },
  user: { disposableAddresses: { action: 'refuse' as const, ...disposableAddresses }, changeEmail: { enabled: true } },
})
const start = (options: object = {}) => new TestApp(config(options))
const refused = { status: 400, code: 'DISPOSABLE_EMAIL' }
const password = 'password1234'

/** The last request of each way in which a visitor becomes a user with an address. */
const ways: Record<string, (app: TestApp, device: Device, email: string) => Promise<unknown>> = {
  password: async (_app, device, email) => outcome(await device.post('/sign-up/email', { name: 'P', email, password })),
  'a guest': async (_app, device, email) => {
    await device.post('/sign-in/anonymous')
    return outcome(await device.post('/sign-up/email', { name: 'P', email, password }))
  },
  code: async (app, device, email) => {
    await device.post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    return outcome(await device.post('/sign-in/email-otp', { email, otp: await codeTo(app, email) }))
  },
  link: async (app, device, email) => {
    await device.post('/sign-in/magic-link', { email })
    const { status, headers } = await device.get(await app.linkTo(email))
    const code = new URL(headers.get('location') ?? '/', origin).searchParams.get('error')
    return { status: code === null ? status : 400, code }
  },
  passkey: async (_app, device, email) => {
    const { body } = await device.post('/passkey/generate-sign-up-options', { email })
    const response = new SoftwareAuthenticator().register(body)
    return outcome(await device.post('/sign-up/passkey', { name: 'P', email, response }))
  },
}

describe('a disposable address', () => {
  it.each(Object.keys(ways))('%s: refused; no user is created', async (way) => {
    const app = start()
    const device = app.device()
    expect(await ways[way]!(app, device, 'one@mailinator.com')).toEqual(refused)
    expect(await count('users')).toBe(way === 'a guest' ? 1 : 0)
    expect(await ways[way]!(app, device, 'one@example.com')).toMatchObject({ code: null })
  })

  it('provider: the redirect has the code', async () => {
    const provider = new OAuthProvider(google).install()
    provider.person = { ...provider.person, email: 'one@mailinator.com' }
    const app = new TestApp({ ...config(), socialProviders: { google: provider.options } })
    expect(locationOf(await walk(app.device(), provider))).toBe(errorAt('DISPOSABLE_EMAIL'))
    expect(await count('users')).toBe(0)
  })

  it('refused as the new address of a user, before and after the verification of the old one', async () => {
    const app = start()
    const device = await signUp(app, alice)
    const change = () => device.post('/change-email', { newEmail: 'alice@mailinator.com' })
    expect(outcome(await change())).toEqual(refused)
    await device.get(await app.linkTo(alice.email)).catch(() => null)
    expect(outcome(await change())).toEqual(refused)
    expect((await device.get('/get-session')).body.user.email).toBe(alice.email)
  })

  it.each([
    ['a subdomain', 'a@inbox.mailinator.com', true],
    ['a deep subdomain', 'a@a.b.c.d.e.mailinator.com', true],
    ['upper case and blanks', ' A@MAILINATOR.COM ', true],
    ['full-width characters', 'a@ｍailinator.com', true],
    ['a longer name', 'a@longermailinator.com', false],
    ['the name as a subdomain of another', 'a@mailinator.com.example.com', false],
    ['a relay that forwards for good', 'a@duck.com', false],
    ['the name in the local part', 'mailinator.com@example.com', false],
  ])('%s', async (_, email, isListed) => {
    const answer = await start().device().post('/sign-up/email', { name: 'P', email, password })
    expect(answer.body.code === 'DISPOSABLE_EMAIL').toBe(isListed)
  })

  it('the configuration adds domains and accepts listed ones, with subdomains', async () => {
    const app = start({ also: ['throwaway.example'], except: ['mailinator.com', 'kept.throwaway.example'] })
    const codes: unknown[] = []
    for (const domain of ['x.throwaway.example', 'kept.throwaway.example', 'mailinator.com', 'x.mailinator.com'])
      codes.push((await ways.password!(app, app.device(), `a@${domain}`)) as object)
    expect(codes).toEqual([refused, ...Array(3).fill({ status: 200, code: null })])
    expect(() => readConfig({ ...deployed, ...config({ also: ['Upper.example'] }) } as never, env)).toThrow(
      /lower case/,
    )
  })

  it('an existing account signs in, and an administrator may create one', async () => {
    const before = new TestApp({ rateLimit: { enabled: false } })
    const email = 'one@mailinator.com'
    expect(outcome(await before.device().post('/sign-up/email', { name: 'P', email, password }))).toMatchObject({
      code: null,
    })
    const app = start()
    expect(outcome(await app.device().post('/sign-in/email', { email, password }))).toMatchObject({ status: 200 })
    const { device } = await administrator(app)
    const given = { name: 'Given', email: 'two@mailinator.com', password }
    expect((await device.post('/admin/create-user', given)).status).toBe(200)
  })

  it('guests have placeholders, which are not checked', async () => {
    const app = start({ also: ['example.com'] })
    expect((await app.device().post('/sign-in/anonymous')).status).toBe(200)
  })

  it('notice: the sign-up passes, and the log has the domain alone', async () => {
    const log = vi.spyOn(console, 'warn')
    const app = start({ action: 'notice' })
    expect(await ways.password!(app, app.device(), 'secret-name@mailinator.com')).toMatchObject({ status: 200 })
    const lines = log.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('disposable-address'))
    expect(lines).toEqual([expect.stringContaining('"domain":"mailinator.com"')])
    expect(lines.join()).not.toContain('secret-name')
  })

  it('is refused in the strict profile, and not in the compatible one', async () => {
    const action = (profile: 'strict' | 'compatible') =>
      userOptions.of(readConfig({ ...deployed, profile }, env)).disposableAddresses.action
    expect([action('compatible'), action('strict')]).toEqual(['off', 'refuse'])
  })
})
