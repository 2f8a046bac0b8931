import { afterEach, describe, expect, it, vi } from 'vitest'
import { env, origin, TestApp } from '../../testing/harness.ts'
import { noting } from '../../testing/noting.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { rowOf } from '../../testing/rows.ts'
import { deleteUsers, updateUsers, verifyAddresses } from '../../testing/states.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'

const newApp = (more: object = {}) => new TestApp({ rateLimit: { enabled: false }, ...more })

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0'
const change = { currentPassword: alice.password, newPassword: 'another-password' }
const verify = () => verifyAddresses()

/** Signs in on a device with a user agent. */
async function signInFrom(app: TestApp, userAgent: string, device = app.device()) {
  device.headers = { 'user-agent': userAgent }
  const { status } = await device.post('/sign-in/email', alice)
  if (status !== 200) throw new Error(String(status))
  return device
}

describe('a sign-in', () => {
  it('reads as many rows among the sign-ins of many users as alone', async () => {
    const { asked, db } = noting()
    const app = new TestApp({ rateLimit: { enabled: false } }, { DB: db })
    await signUp(app, alice)
    await signUp(app, bob)
    await signInFrom(app, firefox)
    const rowsRead = async () => {
      asked.length = 0
      await signInFrom(app, firefox)
      return asked.reduce((sum, { read }) => sum + read, 0)
    }
    const alone = await rowsRead()
    await env.DB.prepare(
      `with recursive n (i) as (select 0 union all select i + 1 from n where i < 999)
       insert into security_events (id, user_id, type, outcome, request_id, created_at)
       select 'other' || i, (select id from users where email = ?1), 'sign-in', 'success', 'r', i from n`,
    )
      .bind(bob.email)
      .run()
    expect(alone).toBeGreaterThan(5)
    expect((await rowsRead()) - alone).toBeLessThan(20)
  })

  it('sends a notice from a new device, and none from it again', async () => {
    const app = newApp()
    await signUp(app, alice)
    await verify()
    const device = await signInFrom(app, firefox)
    const [notice, ...others] = await app.notices()
    expect(others).toEqual([])
    expect(notice).toMatchObject({ to: alice.email, subject: 'Gatehouse: there was a new sign-in to your account' })
    expect(notice!.text).toContain('Hello Alice')
    expect(notice!.text).toContain('Device: Firefox 131, Linux')
    expect(notice!.links).toEqual(['http://localhost:8787/account/security'])
    await signInFrom(app, firefox, device)
    // Another browser with the same user agent counts as the same one.
    await signInFrom(app, firefox)
    expect(await app.notices()).toHaveLength(1)
  })

  it('sends none for the sign-up, nor from the browser of the sign-up after it has changed its name', async () => {
    const app = newApp()
    const device = await signUp(app, alice)
    await signInFrom(app, firefox, device)
    expect(await app.notices()).toEqual([])
  })

  it('sends none where the first sign-in follows the sign-up on another device', async () => {
    const app = newApp({ emailAndPassword: { autoSignIn: false } })
    await app.device().post('/sign-up/email', alice)
    await signInFrom(app, firefox)
    expect(await app.notices()).toEqual([])
    await signInFrom(app, 'curl/8.0')
    expect(await app.notices()).toHaveLength(1)
  })

  it('sends one from a new country in a known browser, with the place', async () => {
    const app = newApp()
    const device = await signUp(app, alice)
    await verify()
    // The browser has a mark from before the proof of the address. After the next sign-in it has a new one.
    await device.post('/sign-in/email', alice)
    const signInAt = async (cf: object) => {
      const cookie = [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = {
        ...{ cookie, origin, 'content-type': 'application/json', 'cf-connecting-ip': device.ip },
        'user-agent': 'harness/1.0',
      }
      const { email, password } = alice
      const body = JSON.stringify({ email, password })
      const request = new Request(`${origin}/api/auth/sign-in/email`, {
        method: 'POST',
        headers,
        body,
        cf,
      } as RequestInit)
      expect((await app.fetch(request)).status).toBe(200)
    }
    // The log has no country of this user yet.
    await signInAt({ country: 'FR' })
    expect(await app.notices()).toEqual([])
    await signInAt({ country: 'JP', city: 'Osaka' })
    await signInAt({ country: 'FR' })
    const [notice, ...others] = await app.notices()
    expect(others).toEqual([])
    expect(notice!.text).toContain('Place: Osaka, Japan')
  })

  it('sends one to an account that was not used for as long as the log goes back', async () => {
    stopClock()
    const app = newApp()
    await signUp(app, alice)
    passTime(91 * 86_400)
    await app.runScheduled()
    await signIn(app, alice)
    expect(await app.notices()).toHaveLength(1)
  })
})

describe('a notice', () => {
  it('goes to an unproven address without name, device and place', async () => {
    const app = newApp()
    const device = await signUp(app, alice)
    device.headers = { 'user-agent': firefox }
    await device.post('/change-password', change)
    const [notice] = await app.notices()
    expect(notice!.to).toBe(alice.email)
    expect(notice!.text).not.toMatch(/Alice|Firefox|Device:|Place:/)
  })

  it('goes as a text message where only a number is proven; a guest gets none', async () => {
    const app = newApp({ phoneNumber: { signUpOnVerification: true } })
    const phoneNumber = '+15550001111'
    const device = app.device()
    await device.post('/phone-number/send-otp', { phoneNumber })
    const code = (await app.mailbox())[0]!.codes[0]
    await device.post('/phone-number/verify', { phoneNumber, code })
    await device.post('/revoke-sessions')
    const [notice, ...others] = await app.notices()
    expect({ channel: notice!.channel, to: notice!.to, others }).toEqual({
      channel: 'sms',
      to: phoneNumber,
      others: [],
    })
    expect(notice!.text).toBe(
      'Gatehouse: your account was signed out on other devices. If this was not you: http://localhost:8787/account/security',
    )
    expect(notice!.text.length).toBeLessThanOrEqual(160)
    await app.clearMailbox()
    const guest = app.device()
    await guest.post('/sign-in/anonymous')
    await guest.post('/revoke-sessions')
    expect(await app.notices()).toEqual([])
  })

  it('has the language of its owner, not that of the request', async () => {
    const app = newApp()
    const device = await signUp(app, alice)
    await updateUsers({ language: 'de' })
    device.headers = { 'accept-language': 'en' }
    await device.post('/change-password', change)
    expect((await app.notices())[0]!.subject).toBe('Gatehouse: dein Passwort wurde geändert')
  })

  it('is lost with no outage of the transport', async () => {
    stopClock()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    let isDown = true
    const sent: string[] = []
    const transport = async ({ subject }: { subject: string }) => {
      if (isDown) throw new Error('out of order')
      sent.push(subject)
    }
    const app = newApp({ mail: { transport }, emailVerification: { sendOnSignUp: false } })
    await (await signUp(app, alice)).post('/change-password', change)
    expect(sent).toEqual([])
    isDown = false
    passTime(3600)
    await app.runScheduled()
    expect(sent).toEqual(['Gatehouse: your password was changed'])
  })

  it('links to the part of the security page that it is about, but not on the page of a product', async () => {
    const linksOf = async (pages: object) => {
      await deleteUsers()
      const app = newApp(pages)
      await app.clearMailbox()
      await (await signUp(app, alice)).post('/change-password', change)
      return (await app.notices()).flatMap(({ links }) => links)
    }
    expect(await linksOf({})).toEqual([`${origin}/account/security#password`])
    expect(await linksOf({ pages: { security: '/my-security' } })).toEqual([`${origin}/my-security`])
  })

  it('is switched off as a whole, or for single events', async () => {
    for (const [securityNotices, expected] of [
      [{ enabled: false }, 0],
      [{ except: ['password-changed'] }, 0],
      [{ except: ['sign-in'] }, 1],
    ] as const) {
      await deleteUsers()
      const app = newApp({ securityNotices })
      await app.clearMailbox()
      await (await signUp(app, alice)).post('/change-password', change)
      expect({ securityNotices, notices: (await app.notices()).length }).toEqual({ securityNotices, notices: expected })
      expect(await rowOf('security_events', { type: 'password-changed' })).toBeTruthy()
    }
    expect(() => newApp({ securityNotices: { except: ['nothing'] } })).toThrow(/securityNotices/)
  })

  it('has a budget of its own: neither other mails nor other events use it up', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const app = newApp({ messages: { mailsPerRecipient: { max: 1 }, noticesPerRecipient: { max: 2 } } })
    const device = await signUp(app, alice)
    for (let time = 0; time < 2; time++) await device.post('/request-password-reset', { email: alice.email })
    for (let time = 0; time < 4; time++) await device.post('/api-key/create', { name: 'key' })
    await device.post('/change-password', change)
    const subjects = (await app.notices()).map(({ subject }) => subject)
    expect(subjects.sort()).toEqual([
      'Gatehouse: an API key was created',
      'Gatehouse: an API key was created',
      'Gatehouse: your password was changed',
    ])
  })
})
