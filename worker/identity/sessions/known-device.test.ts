import { describe, expect, it } from 'vitest'
import { type Device, TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { verifyAddresses } from '../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const number = '+15550001111'

const wrongPassword = (device: Device) => device.post('/sign-in/email', { ...alice, password: 'wrong-password' })

/** Returns a browser in which a user has signed in and signed out. */
async function knownBrowser(app: TestApp, more: object = {}): Promise<Device> {
  const device = await signUp(app, alice, more)
  await device.post('/sign-out')
  expect(device.cookie('session_token')).toBeUndefined()
  return device
}

const codeIn = async (app: TestApp, to: string) =>
  (await app.mailbox()).find((entry) => entry.to === to && entry.codes.length > 0)!.codes[0]!

/** A user whose address an attacker may have claimed. */
const victim = { ...alice, email: 'victim@example.com' }

/** How many guesses at the victim's reset code are compared, if each of these browsers makes 11. */
async function guessesOf(devices: Device[]): Promise<number> {
  const body = { email: victim.email, otp: '000000', password: 'another-password' }
  const statuses = []
  for (const device of devices)
    for (let n = 0; n < 11; n++) statuses.push((await device.post('/email-otp/reset-password', body)).status)
  return statuses.filter((status) => status !== 429).length
}

const another = (code: string) => (code === '000000' ? '111111' : '000000')

describe('a browser in which a user has signed in', () => {
  it('is let in by the right password when strangers have used up their guesses; they are not', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 4 } })
    const own = await knownBrowser(app)
    for (let n = 0; n < 4; n++) expect((await wrongPassword(app.device())).status).toBe(401)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(429)
    expect((await own.post('/sign-in/email', alice)).status).toBe(200)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(429)
  })

  it('has a budget itself', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 4 } })
    const own = await knownBrowser(app)
    for (let n = 0; n < 4; n++) expect((await wrongPassword(own)).status).toBe(401)
    expect((await own.post('/sign-in/email', alice)).status).toBe(429)
    // Guesses there do not block other browsers.
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
  })

  it('shares that budget with all that know the account: another sign-in brings no more guesses', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 4 } })
    const browsers = [
      await knownBrowser(app, { username: 'thename' }),
      await signIn(app, alice),
      await signIn(app, alice),
    ]
    const statuses = []
    for (const device of browsers) {
      for (let n = 0; n < 2; n++) statuses.push((await wrongPassword(device)).status)
      const byName = { username: 'thename', password: 'wrong-password' }
      statuses.push((await device.post('/sign-in/username', byName)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429, 429, 429])
  })

  const next = 'another-password'
  it.each([
    ['a change of the password', true, (device: Device) => changePassword(device, {})],
    [
      'one that ends the other sessions',
      true,
      (device: Device) => changePassword(device, { revokeOtherSessions: true }),
    ],
    ['a reset', false, resetPassword],
  ])('is a stranger again after %s; a browser that changed it is remembered', async (_what, remembered, change) => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 4 } })
    const former = await knownBrowser(app)
    const changing = await signIn(app, alice)
    await change(changing, app)
    for (let n = 0; n < 4; n++) await wrongPassword(app.device())
    const right = { ...alice, password: next }
    expect((await former.post('/sign-in/email', right)).status).toBe(429)
    await changing.post('/sign-out')
    expect((await changing.post('/sign-in/email', right)).status).toBe(remembered ? 200 : 429)
  })

  async function changePassword(device: Device, more: object) {
    const body = { currentPassword: alice.password, newPassword: next, ...more }
    expect((await device.post('/change-password', body)).status).toBe(200)
  }

  async function resetPassword(device: Device, app: TestApp) {
    await device.post('/request-password-reset', { email: alice.email })
    const token = /reset-password\/(\w+)/.exec(await app.linkTo(alice.email))![1]
    expect((await device.post('/reset-password', { newPassword: next, token })).status).toBe(200)
  }

  it("is known for its own people's names only", async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 4 } })
    await signUp(app, alice)
    const attacker = await signUp(app, bob)
    for (let n = 0; n < 4; n++) await wrongPassword(app.device())
    expect((await wrongPassword(attacker)).status).toBe(429)
  })

  it('is a stranger again once another user has proven the address', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 4 } })
    const squatter = await knownBrowser(app)
    await verifyAddresses()
    for (let n = 0; n < 4; n++) await wrongPassword(app.device())
    expect((await wrongPassword(squatter)).status).toBe(429)
  })

  it.each([
    ['username', { username: 'thename' }, { username: 'another' }, '/sign-in/username'],
    ['phoneNumber', { phoneNumber: number }, { phoneNumber: null }, '/sign-in/phone-number'],
  ] as const)('is a stranger to the user who has its %s since', async (_name, held, next, path) => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 4 } })
    const earlier = await signUp(app, bob, held)
    await verifyAddresses()
    const browsers = [await signIn(app, bob), await signIn(app, bob)]
    await earlier.post('/update-user', next)
    await signUp(app, alice, held)
    const statuses = []
    for (const device of browsers)
      for (let n = 0; n < 4; n++)
        statuses.push((await device.post(path, { ...held, password: 'wrong-password' })).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(4)
  })

  it('may still type the right code when strangers have ended it for themselves', async () => {
    const app = new TestApp(unlimited)
    const own = await knownBrowser(app)
    await own.post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
    const code = await codeIn(app, alice.email)
    const signIn = (device: Device, otp: string) => device.post('/sign-in/email-otp', { email: alice.email, otp })
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await signIn(app.device(), another(code))).status)
    expect(statuses).toEqual([400, 400, 400, ...Array(7).fill(403), 429])
    expect((await signIn(app.device(), code)).status).toBe(429)
    expect((await signIn(own, another(code))).status).toBe(400)
    expect((await signIn(own, code)).status).toBe(200)
  })

  it('has as many attempts at a code as strangers, and no more', async () => {
    const app = new TestApp(unlimited)
    const own = await knownBrowser(app)
    await own.post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
    const code = await codeIn(app, alice.email)
    const guesses = []
    for (let n = 0; n < 5; n++) {
      const { body } = await own.post('/sign-in/email-otp', { email: alice.email, otp: another(code) })
      guesses.push(body.code)
    }
    const ended = ['TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS']
    expect(guesses).toEqual(['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', ...ended])
  })

  it('is a stranger to the codes of the user who has proven the address since', async () => {
    const app = new TestApp(unlimited)
    const squatters = [await signUp(app, victim), await signIn(app, victim), await signIn(app, victim)]
    // The proof ends the sessions; the cookies of the browsers remain.
    for (const one of squatters) await one.post('/sign-out')
    await verifyAddresses()
    expect(await guessesOf(squatters)).toBe(10)
  })

  it('shares the budget of a code with all that claim the address, and with all sessions of theirs', async () => {
    const app = new TestApp(unlimited)
    const browsers = [await signUp(app, victim), await signIn(app, victim), await signIn(app, victim)]
    expect(await guessesOf(browsers)).toBe(10)
    const bearers = browsers.map((device) => {
      const bearer = app.device()
      bearer.headers = { authorization: `Bearer ${device.jar.get('gatehouse.session_token')}` }
      return bearer
    })
    expect(await guessesOf(bearers)).toBe(10)
  })

  it("a session does the same for a bearer's code by text", async () => {
    const app = new TestApp({ ...unlimited, phoneNumber: { signUpOnVerification: true } })
    const device = await signUp(app, alice, { phoneNumber: number })
    const authorization = `Bearer ${device.jar.get('gatehouse.session_token')}`
    const bearer = app.device()
    const verify = (who: Device, code: string, headers = {}) =>
      who.post('/phone-number/verify', { phoneNumber: number, code }, { headers })
    await app.device().post('/phone-number/send-otp', { phoneNumber: number })
    const code = await codeIn(app, number)
    for (let n = 0; n < 4; n++) await verify(app.device(), another(code))
    expect((await verify(app.device(), code)).status).toBe(400)
    const { status, body } = await verify(bearer, code, { authorization })
    expect({ status, email: body.user?.email }).toEqual({ status: 200, email: alice.email })
  })

  it('has a cookie that holds no name and cannot be forged', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 1 } })
    const own = await knownBrowser(app)
    const value = own.cookie('known_device')!
    expect(value).toMatch(/^known-device\.\w{16}\.\w{22}~\w{22}\.[\w+/=-]+$/)
    await wrongPassword(app.device())
    const forger = app.device()
    forger.jar.set('gatehouse.known_device', encodeURIComponent(`${value.slice(0, -3)}abc`))
    expect((await forger.post('/sign-in/email', alice)).status).toBe(429)
  })
})
