import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Device, TestApp } from '../../testing/harness.ts'
import { signUp } from '../../testing/people.ts'
import { rowsOf } from '../../testing/rows.ts'
import { deleteUsers, verifyAddresses } from '../../testing/states.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'

beforeEach(stopClock)
afterEach(() => vi.useRealTimers())

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct-zebra-41-staple' }
const subject = 'Gatehouse: someone knows your password'
const thiefs = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0'

const start = async (more: object = {}) => {
  const app = new TestApp({ rateLimit: { enabled: false }, risk: { level: 'challenge' }, ...more })
  const owner = await signUp(app, ada)
  await verifyAddresses()
  await signIn(owner)
  return { app, owner }
}
const signIn = (device: Device) => device.post('/sign-in/email', { email: ada.email, password: ada.password })
const thief = (app: TestApp): Device => {
  const device = app.device()
  device.headers = { 'cf-connecting-ip': '198.51.100.7', 'user-agent': thiefs }
  return device
}
const later = async (app: TestApp, seconds = 420) => {
  passTime(seconds)
  await app.runScheduled()
}
const mails = async (app: TestApp) => (await app.notices()).filter((mail) => mail.subject === subject)

describe('a challenge that gets no answer', () => {
  it('the owner gets one mail after its lifetime, with device and the page of the password', async () => {
    const { app } = await start()
    const answer = await signIn(thief(app))
    expect(answer.body).toEqual({ twoFactorRedirect: true })
    expect({ d1: answer.io.d1![0], durable: answer.io.durable![0] }).toEqual({ d1: 2, durable: 1 })
    await later(app, 300)
    expect(await mails(app)).toEqual([])
    await later(app, 120)
    const [mail, ...others] = await mails(app)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: ada.email, links: ['http://localhost:8787/account/security#password'] })
    expect(mail!.text).toContain('Device: Firefox 131, Linux')
    await later(app)
    expect(await mails(app)).toHaveLength(1)
  })

  it('none if a code follows, also after a second try in the same browser', async () => {
    const { app } = await start()
    const device = thief(app)
    await signIn(device)
    passTime(60)
    await signIn(device)
    await device.post('/two-factor/send-otp')
    const code = (await app.mailbox())[0]!.codes[0]
    expect((await device.post('/two-factor/verify-otp', { code })).status).toBe(200)
    await later(app)
    expect(await mails(app)).toEqual([])
  })

  it('a sign-in of the owner in another browser does not answer it', async () => {
    const { app, owner } = await start()
    await signIn(thief(app))
    passTime(10)
    expect((await signIn(owner)).body.token).toBeTypeOf('string')
    await later(app)
    expect(await mails(app)).toHaveLength(1)
  })

  it('once a day, however many attempts; again on the next day', async () => {
    const { app } = await start()
    for (let n = 0; n < 3; n++) {
      await signIn(thief(app))
      await later(app)
    }
    expect(await mails(app)).toHaveLength(1)
    passTime(86_400)
    await signIn(thief(app))
    await later(app)
    expect(await mails(app)).toHaveLength(2)
  })

  it('none after a new password', async () => {
    const { app, owner } = await start()
    await signIn(thief(app))
    passTime(10)
    const changed = await owner.post('/change-password', {
      currentPassword: ada.password,
      newPassword: 'zebra-staple-42-x',
    })
    expect(changed.status).toBe(200)
    await later(app)
    expect(await mails(app)).toEqual([])
  })

  it('none to a user who was deleted', async () => {
    const { app } = await start()
    await signIn(thief(app))
    await deleteUsers()
    await later(app)
    expect(await mails(app)).toEqual([])
  })

  it('jobs are as few as events: 20 an hour', async () => {
    const { app } = await start({ passwordGuesses: { max: 100, window: 60 } })
    for (let n = 0; n < 22; n++) await signIn(thief(app))
    expect((await rowsOf('jobs')).filter(({ kind }) => kind === 'security-notice')).toHaveLength(20)
  })

  it('securityNotices.except: none', async () => {
    const { app } = await start({ securityNotices: { except: ['sign-in-challenged'] } })
    await signIn(thief(app))
    await later(app)
    expect(await mails(app)).toEqual([])
  })
})
