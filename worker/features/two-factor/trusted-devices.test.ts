import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeOf } from '../../testing/authenticator.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { alice, bob } from '../../testing/people.ts'
import { invalidatePending } from '../../testing/states.ts'
import { challenge, type Protected, passTime, signUpProtected, stopClock } from '../../testing/two-factor.ts'

// Hundreds of requests and dozens of password hashes are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const unlimited = { rateLimit: { enabled: false } }
const asked = { twoFactorRedirect: true }
const day = 86_400

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

const signIn = (device: Device, person = alice) => device.post('/sign-in/email', person)

async function trustedDevice(app: TestApp, { totpURI }: Protected): Promise<Device> {
  const device = await challenge(app)
  const { cookies } = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI), trustDevice: true })
  expect(cookies.find((line) => line.startsWith('gatehouse.trust_device='))).toMatch(
    /^gatehouse\.trust_device=[\w-]{43}!\w{32}\.[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  return device
}

describe('a trusted device', () => {
  it('signs in with the password alone, again and again, and its cookie moves on each time', async () => {
    const app = new TestApp(unlimited)
    const device = await trustedDevice(app, await signUpProtected(app))
    for (let n = 0; n < 3; n++) {
      await device.post('/sign-out')
      const before = device.jar.get('gatehouse.trust_device')
      const { body, io } = await signIn(device)
      expect(body.token).toBeTruthy()
      expect(device.cookie('trust_device')).toContain(`!${body.token}.`)
      expect(io.d1).toEqual([3, 3])
      const copy = app.device()
      copy.jar.set('gatehouse.trust_device', before!)
      expect((await signIn(copy)).body).toEqual(asked)
    }
  })

  it('is trusted for thirty days from the second factor, however often it signs in', async () => {
    const app = new TestApp(unlimited)
    const device = await trustedDevice(app, await signUpProtected(app))
    passTime(29 * day)
    const { cookies } = await signIn(device)
    expect(cookies.find((line) => line.startsWith('gatehouse.trust_device='))).toContain(`Max-Age=${day};`)
    passTime(day)
    expect((await signIn(device)).body).toEqual(asked)
  })

  it('is not trusted for another user, nor with a forged cookie', async () => {
    const app = new TestApp(unlimited)
    const device = await trustedDevice(app, await signUpProtected(app))
    await signUpProtected(app, bob)
    expect((await signIn(device, bob)).body).toEqual(asked)
    const forger = app.device()
    forger.jar.set('gatehouse.trust_device', 'garbage.sig')
    expect((await signIn(forger)).body).toEqual(asked)
  })

  it.each<[string, (app: TestApp, owner: Protected) => Promise<unknown>]>([
    [
      'a new secret',
      async (_app, { device }) => {
        const { totpURI } = (await device.post('/two-factor/enable', { password: alice.password })).body
        return device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
      },
    ],
    [
      'turning two-factor off and on',
      async (_app, { device }) => {
        await device.post('/two-factor/disable', { password: alice.password })
        const { totpURI } = (await device.post('/two-factor/enable', { password: alice.password })).body
        return device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
      },
    ],
    ['a reset, a ban or an administrator’s new password', async () => invalidatePending()],
    ['forgetting all devices', async (_app, { device }) => device.post('/two-factor/forget-devices')],
  ])('ends with %s', async (_what, end) => {
    const app = new TestApp(unlimited)
    const owner = await signUpProtected(app)
    const device = await trustedDevice(app, owner)
    await end(app, owner)
    expect((await signIn(device)).body).toEqual(asked)
  })

  it('by a mailed code and by a backup code too', async () => {
    const app = new TestApp(unlimited)
    const { backupCodes } = await signUpProtected(app)
    const first = await challenge(app)
    await first.post('/two-factor/verify-backup-code', { code: backupCodes[0], trustDevice: true })
    expect((await signIn(first)).body.token).toBeTruthy()
    const second = await challenge(app)
    await second.post('/two-factor/send-otp', { trustDevice: true })
    const code = (await app.mailbox())[0]!.codes[0]
    await second.post('/two-factor/verify-otp', { code, trustDevice: true })
    expect((await signIn(second)).body.token).toBeTruthy()
  })
})
