import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { company, someone } from '../../testing/organizations.ts'
import { signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { verifyAddresses } from '../../testing/states.ts'

const password = 'password1234'
const stored = 'ida@xn--mller-x-n2a.example'
const typed = ' Ida@MÜLLER-x.example '
const newApp = (more: object = {}) => new TestApp({ rateLimit: { enabled: false }, ...more })

describe('an address with an international domain and blanks', () => {
  it('signs up once, and signs in by password, link and code', async () => {
    const app = newApp()
    await signUp(app, { name: 'Ida', email: typed, password })
    expect((await rowOf('users'))!.email).toBe(stored)
    const device = app.device()
    const taken = await device.post('/sign-up/email', { name: 'Ida', email: stored.toUpperCase(), password })
    expect(taken.body.code).toBe('USER_ALREADY_EXISTS')
    for (const email of [typed, stored, 'ida@müller-x.example']) {
      expect((await app.device().post('/sign-in/email', { email, password })).status).toBe(200)
    }
    await device.post('/sign-in/magic-link', { email: typed })
    expect(await app.linkTo(stored)).toContain('/magic-link/verify')
    await device.post('/email-otp/send-verification-otp', { email: typed, type: 'sign-in' })
    const [code] = (await app.mailbox()).find(({ codes }) => codes.length > 0)!.codes
    expect((await device.post('/sign-in/email-otp', { email: 'IDA@müller-x.example', otp: code })).status).toBe(200)
    await device.post('/request-password-reset', { email: typed, redirectTo: '/x' })
    expect(await app.linkTo(stored)).toContain('/reset-password/')
    expect(await count('users')).toBe(1)
  })

  it('shares its budget of guesses with every spelling', async () => {
    const app = newApp({ passwordGuesses: { max: 2, window: 60 } })
    await signUp(app, { name: 'Ida', email: typed, password })
    const guess = async (email: string) =>
      (await app.device().post('/sign-in/email', { email, password: 'wrong-password' })).status
    expect([await guess(typed), await guess(stored), await guess('IDA@MÜLLER-X.example')]).toEqual([401, 401, 429])
  })

  it('is invited, accepts, and is removed by it', async () => {
    const app = newApp()
    const acme = await company(app, 'acme')
    const ida = await signUp(app, { name: 'Ida', email: typed, password })
    await verifyAddresses()
    const { body } = await acme.owner.device.post('/organization/invite-member', { email: typed, role: 'member' })
    expect(body.email).toBe(stored)
    const again = await acme.owner.device.post('/organization/invite-member', { email: stored, role: 'member' })
    expect(again.body.code).toBe('USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION')
    expect((await ida.post('/organization/accept-invitation', { invitationId: body.id })).status).toBe(200)
    const removed = await acme.owner.device.post('/organization/remove-member', { memberIdOrEmail: typed })
    expect(removed.status).toBe(200)
  })

  it('is the new address of a user', async () => {
    const app = newApp()
    const max = await someone(app, 'Max', { verified: false })
    expect((await max.device.post('/change-email', { newEmail: typed })).status).toBe(200)
    expect((await rowOf('users'))!.email).toBe(stored)
    expect((await max.device.post('/change-email', { newEmail: stored })).body.code).toBe('EMAIL_IS_THE_SAME')
  })
})
