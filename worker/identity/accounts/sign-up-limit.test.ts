import { describe, expect, it } from 'vitest'
import { administrator } from '../../testing/admins.ts'
import { spendCounter } from '../../testing/bounds/bounds.ts'
import { FaultInjector } from '../../testing/faults.ts'
import { type Device, origin, outcome, TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { errorAt, locationOf, walk } from '../../testing/outside/walk.ts'
import { SoftwareAuthenticator } from '../../testing/passkeys.ts'
import { count } from '../../testing/rows.ts'
import { codeTo } from '../../testing/set-ups.ts'

const config = {
  rateLimit: { enabled: false },
  passkey: { signUp: true },
  phoneNumber: { signUpOnVerification: true },
  user: { signUpsPerNetwork: { max: 1, window: 3600 } },
} as const
const tooMany = { status: 429, code: 'TOO_MANY_REQUESTS' }

let people = 0
/** A browser at an address of a network. */
const at = (app: TestApp, ip = `198.51.100.${(++people % 250) + 1}`): Device => app.device(ip)
const newAddress = () => `person-${++people}@example.com`
const byPassword = (device: Device, email = newAddress()) =>
  device.post('/sign-up/email', { name: 'Person', email, password: 'password1234' })

/** The last request of each way in which a visitor becomes a user. */
const ways: Record<string, (app: TestApp, device: Device) => Promise<{ status: number; code: string | null }>> = {
  password: async (_app, device) => outcome(await byPassword(device)),
  guest: async (_app, device) => outcome(await device.post('/sign-in/anonymous')),
  code: async (app, device) => {
    const email = newAddress()
    await device.post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    return outcome(await device.post('/sign-in/email-otp', { email, otp: await codeTo(app, email) }))
  },
  link: async (app, device) => {
    const email = newAddress()
    await device.post('/sign-in/magic-link', { email })
    const { status, headers } = await device.get(await app.linkTo(email))
    const code = new URL(headers.get('location') ?? '/', origin).searchParams.get('error')
    return { status: code === null ? status : 429, code }
  },
  number: async (app, device) => {
    const phoneNumber = `+1555${String(++people).padStart(7, '0')}`
    await device.post('/phone-number/send-otp', { phoneNumber })
    return outcome(await device.post('/phone-number/verify', { phoneNumber, code: await codeTo(app, phoneNumber) }))
  },
  passkey: async (_app, device) => {
    const email = newAddress()
    const { body } = await device.post('/passkey/generate-sign-up-options', { email })
    const response = new SoftwareAuthenticator().register(body)
    return outcome(await device.post('/sign-up/passkey', { name: 'Person', email, response }))
  },
}

describe('sign-ups of a network', () => {
  for (const [way, create] of Object.entries(ways)) {
    it(`${way}: 429 beyond the limit, from another address of the network; not from another network`, async () => {
      const app = new TestApp(config)
      expect((await byPassword(at(app))).status).toBe(200)
      expect(await create(app, at(app))).toEqual(tooMany)
      expect(await count('users')).toBe(1)
      expect((await create(app, at(app, '203.0.113.7'))).status).toBeLessThan(303)
      expect(await count('users')).toBe(2)
    })
  }

  it('provider: the redirect has the code', async () => {
    const provider = new OAuthProvider(google).install()
    const app = new TestApp({ ...config, socialProviders: { google: provider.options } })
    await byPassword(at(app))
    expect(locationOf(await walk(at(app), provider))).toBe(errorAt('TOO_MANY_REQUESTS'))
    expect(await count('users')).toBe(1)
  })

  it('the answer says when the hour ends; a taken address counts, and gets the same answer', async () => {
    const app = new TestApp({ ...config, user: { signUpsPerNetwork: { max: 2, window: 3600 } } })
    const email = newAddress()
    await byPassword(at(app), email)
    expect((await byPassword(at(app), email)).body.code).toMatch(/^USER_ALREADY_EXISTS/)
    const answers = [await byPassword(at(app), email), await byPassword(at(app))]
    expect(answers.map(outcome)).toEqual([tooMany, tooMany])
    const pause = Number(answers[1]!.headers.get('x-retry-after'))
    expect(pause).toBeGreaterThan(3500)
    expect(pause).toBeLessThanOrEqual(3600)
  })

  it('an IPv6 /48 is one network', async () => {
    const app = new TestApp(config)
    expect((await byPassword(at(app, '2001:db8:1:1::1'))).status).toBe(200)
    expect(outcome(await byPassword(at(app, '2001:db8:1:2::1')))).toEqual(tooMany)
    expect((await byPassword(at(app, '2001:db8:2:1::1'))).status).toBe(200)
  })

  it('sign-ins and users of an administrator are neither refused nor counted', async () => {
    const app = new TestApp(config)
    const email = newAddress()
    await byPassword(at(app), email)
    const signedIn = await at(app).post('/sign-in/email', { email, password: 'password1234' })
    expect({ status: signedIn.status, objects: signedIn.io.durable![0] }).toEqual({ status: 200, objects: 1 })
    const { device } = await administrator(app)
    device.headers = { 'cf-connecting-ip': '203.0.113.9' }
    for (let n = 0; n < 2; n++) {
      const person = { name: 'Given', email: newAddress(), password: 'password1234' }
      expect((await device.post('/admin/create-user', person)).status).toBe(200)
    }
    expect((await byPassword(at(app, '203.0.113.10'))).status).toBe(200)
  })

  it('null: no limit; by default a /24 creates 300 in an hour', async () => {
    const app = new TestApp({ ...config, user: { signUpsPerNetwork: null } })
    for (let n = 0; n < 3; n++) expect((await byPassword(at(app))).status).toBe(200)
    const usual = new TestApp({ rateLimit: { enabled: false } })
    await spendCounter('sign-ups:network:198.51.100.0/24', { max: 300, window: 3600 }, 299)
    expect((await byPassword(at(usual))).status).toBe(200)
    expect(outcome(await byPassword(at(usual)))).toEqual(tooMany)
  })

  it('an unreachable counter refuses no sign-up', async () => {
    const faults = new FaultInjector()
    const app = new TestApp(config, faults.bindings(), false)
    await byPassword(at(app))
    faults.outage('COUNTER')
    expect((await byPassword(at(app))).status).toBe(200)
  })
})
