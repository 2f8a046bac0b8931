import { describe, expect, it } from 'vitest'
import { FaultInjector } from './faults.ts'
import { TestApp } from './harness.ts'
import { alice, signUp } from './people.ts'
import { rowOf } from './rows.ts'
import { challenge, signUpProtected } from './two-factor.ts'

/** A write that arrives after its caller timed out and the user tried again. */
const start = () => {
  const faults = new FaultInjector()
  return { faults, app: new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false) }
}

describe('a write that arrives late', () => {
  it('gives a code no new attempts', async () => {
    const { faults, app } = start()
    const device = await signUp(app, alice)
    const request = { email: alice.email, type: 'sign-in' }
    faults.watch()
    await device.post('/email-otp/send-verification-otp', request)
    const put = faults.calls.indexOf('ONE_TIME put') + 1
    expect(put).toBeGreaterThan(0)
    await app.clearMailbox()
    faults.arm({ at: put, when: 'late' })
    expect((await device.post('/email-otp/send-verification-otp', request)).status).toBe(200)
    faults.watch()
    const [mail] = await app.mailbox()
    const signIn = (otp = mail!.codes[0]) => app.device().post('/sign-in/email-otp', { email: alice.email, otp })
    for (let guess = 0; guess < 2; guess++) expect((await signIn('000000')).body.code).toBe('INVALID_OTP')
    await faults.arrive()
    // The counter of wrong guesses continues.
    expect((await signIn('000000')).body.code).toBe('INVALID_OTP')
    expect((await signIn()).body.code).toBe('TOO_MANY_ATTEMPTS')
  })

  it('does not replace newer backup codes', async () => {
    const { faults, app } = start()
    const { device } = await signUpProtected(app)
    const generate = () => device.post('/two-factor/generate-backup-codes', { password: alice.password })
    faults.watch()
    await generate()
    // The first batch reads the caller.
    const write = faults.calls.indexOf('D1 batch', 1) + 1
    faults.arm({ at: write, when: 'late' })
    expect((await generate()).status).toBe(200)
    faults.watch()
    const { backupCodes } = (await generate()).body
    await faults.arrive()
    const waiting = await challenge(app)
    expect((await waiting.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).status).toBe(200)
  })

  it('does not end a newer client secret', async () => {
    const { faults, app } = start()
    const device = await signUp(app, alice)
    const registered = await device.post('/oauth2/register', { redirect_uris: ['https://client.example.com/cb'] })
    const clientId = registered.body.client_id
    const rotate = () => device.post('/oauth2/rotate-client-secret', { clientId })
    const stored = async () => (await rowOf('oauth_applications'))!.clientSecret
    faults.watch()
    await rotate()
    const write = faults.calls.indexOf('D1 batch') + 1
    faults.arm({ at: write, when: 'late' })
    expect((await rotate()).status).toBe(503)
    faults.watch()
    expect((await rotate()).status).toBe(200)
    const newest = await stored()
    await faults.arrive()
    expect(await stored()).toBe(newest)
  })
})
