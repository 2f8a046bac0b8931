import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answer, type Device, outcome, TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, rowOf, storedRow } from '../../testing/rows.ts'
import { deleteAccounts, impersonateAs, updateUsers, verifyAddresses } from '../../testing/states.ts'

afterEach(() => {
  vi.useRealTimers()
})

const people = () => count('users')

describe('POST /update-user', () => {
  it('changes name and image, immediately visible in responses', async () => {
    const device = await signUp(new TestApp(), alice)
    const { body, io } = await device.post('/update-user', { name: 'Alice II', image: 'https://img.example.com/a.png' })
    expect({ body, d1: io.d1![0] }).toEqual({ body: { status: true }, d1: 2 })
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ name: 'Alice II', image: 'https://img.example.com/a.png' })
    await device.post('/update-user', { image: null })
    expect((await device.get('/get-session')).body.user).toMatchObject({ name: 'Alice II', image: null })
  })

  it('nothing and unknown fields change nothing', async () => {
    const device = await signUp(new TestApp(), alice)
    for (const body of [{}, { nofield: 'x' }, { role: 'admin', banned: true, emailVerified: true, id: 'x' }]) {
      const answer = await device.post('/update-user', body)
      expect({ status: answer.status, body: answer.body, d1: answer.io.d1![0] }).toEqual({
        status: 200,
        body: { status: true },
        d1: 1,
      })
    }
    const row = await storedRow('users', 'role', 'banned', 'email_verified')
    expect(row).toEqual({ role: 'user', banned: 0, email_verified: 0 })
  })

  it('400 for an address, an invalid or empty name; 401 without a session', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const address = await device.post('/update-user', { email: 'new@example.com' })
    expect(address).toMatchObject({ status: 400, body: { code: 'EMAIL_CAN_NOT_BE_UPDATED' } })
    for (const name of [5, '', '   ', 'x'.repeat(257), null, {}]) {
      const { status, body } = await device.post('/update-user', { name })
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
    expect((await app.device().post('/update-user', { name: 'x' })).status).toBe(401)
  })
})

describe('POST /change-email', () => {
  it('replaces an unverified address immediately', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    expect((await device.post('/change-email', { newEmail: 'New@Example.com' })).body).toEqual({ status: true })
    expect((await device.get('/get-session')).body.user.email).toBe('new@example.com')
    await device.get(await app.linkTo('new@example.com'))
    expect((await device.get('/get-session')).body.user.emailVerified).toBe(true)
  })

  it('ends the verification link of the old address', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const old = new URL(await app.linkTo(alice.email)).searchParams.get('token')!
    await device.post('/change-email', { newEmail: 'new@example.com' })
    await device.post('/change-email', { newEmail: alice.email })
    expect((await app.device().get('/verify-email', { query: { token: old } })).body.code).toBe('INVALID_TOKEN')
  })

  it('400 for the same address, a taken one, none, and where it is off', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const device = await signUp(app, alice)
    await signUp(app, bob)
    const change = async (newEmail: unknown) => outcome(await device.post('/change-email', { newEmail }))
    expect(await change('ALICE@example.com')).toEqual({ status: 400, code: 'EMAIL_IS_THE_SAME' })
    expect(await change(bob.email)).toEqual({ status: 400, code: 'COULDNT_UPDATE_YOUR_EMAIL' })
    expect(await change('nope')).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    expect((await app.device().post('/change-email', { newEmail: 'x@example.com' })).status).toBe(401)
    const off = new TestApp({ user: { changeEmail: { enabled: false } } })
    const other = await signUp(off, { ...alice, email: 'a2@example.com' })
    expect((await other.post('/change-email', { newEmail: 'x@example.com' })).body.code).toBe(
      'CHANGE_EMAIL_IS_DISABLED',
    )
  })

  it('400 for a verified address where no mail can be sent', async () => {
    const device = await signUp(new TestApp({ emailVerification: { enabled: false } }), alice)
    await verifyAddresses()
    const { body } = await device.post('/change-email', { newEmail: 'x@example.com' })
    expect(body.code).toBe('VERIFICATION_EMAIL_ISNT_ENABLED')
  })

  it('429 after 20 in an hour, from all addresses: mails to others count for the sender; rejected ones cost nothing', async () => {
    for (const profile of ['compatible', 'strict'] as const) {
      const app = new TestApp({
        rateLimit: { enabled: false },
        profile,
        emailVerification: { sendOnSignUp: true },
        emailAndPassword: { requireEmailVerification: false },
      })
      const device = await signUp(app, { ...alice, email: `sender-of-${profile}@example.com` })
      await app.clearMailbox()
      await device.post('/change-email', { newEmail: `sender-of-${profile}@example.com` })
      const statuses = []
      for (let n = 0; n < 22; n++)
        statuses.push((await device.post('/change-email', { newEmail: `${profile}-${n}@example.org` })).status)
      expect(statuses).toEqual([...Array(20).fill(200), 429, 429])
      expect(await app.mailbox()).toHaveLength(20)
    }
  })

  it('two users, one free address, in parallel: one gets it', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const devices = [await signUp(app, alice), await signUp(app, bob)]
    const answers = await Promise.all(
      devices.map((device) => device.post('/change-email', { newEmail: 'one@example.com' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

describe('a change of address that waits to be confirmed', () => {
  const open = { rateLimit: { enabled: false } } as const
  const verified = async (app: TestApp, person = alice) => {
    const device = await signUp(app, person)
    await verifyAddresses({ email: person.email })
    await app.clearMailbox()
    return device
  }
  const pending = async (device: Device) => (await device.get('/change-email/pending')).body
  const newestLink = async (app: TestApp, to = alice.email) => {
    const link = await app.linkTo(to)
    await app.clearMailbox()
    return link
  }
  const ask = async (app: TestApp, device: Device, newEmail: string) => {
    await device.post('/change-email', { newEmail })
    return newestLink(app)
  }
  const address = async (device: Device) =>
    (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body.user.email
  const errorOf = ({ headers }: Answer) => headers.get('location')!.split('error=')[1]
  const rows = () => count('address_changes')

  it('is returned until the user follows its link', async () => {
    const app = new TestApp(open)
    const device = await verified(app)
    expect(await pending(device)).toBeNull()
    const link = await ask(app, device, 'New@example.com')
    expect(await pending(device)).toEqual({ newEmail: 'new@example.com' })
    expect((await device.get('/config')).body.features.pendingEmail).toBe(true)
    expect(errorOf(await device.get(link))).toBeUndefined()
    expect({ address: await address(device), pending: await pending(device), rows: await rows() }).toEqual({
      address: 'new@example.com',
      pending: null,
      rows: 0,
    })
  })

  it('is returned to its own user only', async () => {
    const app = new TestApp(open)
    await ask(app, await verified(app), 'new@example.com')
    expect(await pending(await verified(app, bob))).toBeNull()
    for (const call of [app.device().get('/change-email/pending'), app.device().post('/change-email/cancel')]) {
      expect((await call).status).toBe(401)
    }
  })

  it('can be cancelled, which ends its link; without one there is nothing to do', async () => {
    const app = new TestApp(open)
    const device = await verified(app)
    const link = await ask(app, device, 'new@example.com')
    for (let n = 0; n < 2; n++) expect((await device.post('/change-email/cancel')).body).toEqual({ status: true })
    expect(await pending(device)).toBeNull()
    expect(errorOf(await device.get(link))).toBe('invalid_token')
    // A second request for the same address does not make the first link valid.
    const again = await ask(app, device, 'new@example.com')
    expect(errorOf(await device.get(link))).toBe('invalid_token')
    expect(errorOf(await device.get(again))).toBeUndefined()
    expect(await address(device)).toBe('new@example.com')
  })

  it('of another user remains pending when one is cancelled', async () => {
    const app = new TestApp(open)
    const device = await verified(app)
    const other = await verified(app, bob)
    const link = await ask(app, device, 'new@example.com')
    await other.post('/change-email/cancel')
    expect(errorOf(await device.get(link))).toBeUndefined()
  })

  it('is replaced by a later one', async () => {
    const app = new TestApp(open)
    const device = await verified(app)
    const first = await ask(app, device, 'first@example.com')
    const second = await ask(app, device, 'second@example.com')
    expect(await pending(device)).toEqual({ newEmail: 'second@example.com' })
    expect(errorOf(await device.get(first))).toBe('invalid_token')
    expect(errorOf(await device.get(second))).toBeUndefined()
    expect(await address(device)).toBe('second@example.com')
  })

  it('ends with its time, and is then deleted', async () => {
    const app = new TestApp(open)
    const device = await verified(app)
    await ask(app, device, 'new@example.com')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 })
    expect({ pending: await pending(device), rows: await rows() }).toEqual({ pending: null, rows: 1 })
    await app.runScheduled()
    expect(await rows()).toBe(0)
  })

  it('ends when the password is changed, as its mail advises', async () => {
    const app = new TestApp(open)
    const device = await verified(app)
    const link = await ask(app, device, 'new@example.com')
    await device.post('/change-password', { currentPassword: alice.password, newPassword: 'another-password' })
    expect(await pending(device)).toBeNull()
    expect(errorOf(await device.get(link))).toBe('invalid_token')
  })

  it('happens once, of 20 parallel clicks', async () => {
    const app = new TestApp(open)
    const device = await verified(app)
    const link = await ask(app, device, 'new@example.com')
    const answers = await Promise.all(Array.from({ length: 20 }, () => device.get(link)))
    expect(answers.filter((answer) => errorOf(answer) === undefined)).toHaveLength(1)
    expect({ address: await address(device), mails: (await app.mailbox()).length }).toEqual({
      address: 'new@example.com',
      mails: 1,
    })
  })

  it('parallel clicks and cancellations: it is changed or not, and nothing remains pending', async () => {
    const app = new TestApp(open)
    const device = await verified(app)
    const link = await ask(app, device, 'new@example.com')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? device.get(link) : device.post('/change-email/cancel'))),
    )
    const changed = answers.filter((answer, n) => n % 2 && errorOf(answer) === undefined).length
    expect(changed).toBeLessThanOrEqual(1)
    expect({ address: await address(device), rows: await rows() }).toEqual({
      address: changed ? 'new@example.com' : alice.email,
      rows: 0,
    })
  })

  it('in the strict profile: both links of a verified person, and the one of an unverified', async () => {
    const app = new TestApp({ ...open, profile: 'strict', emailAndPassword: { requireEmailVerification: false } })
    const device = await verified(app)
    const first = await ask(app, device, 'new@example.com')
    expect(errorOf(await device.get(first))).toBeUndefined()
    const second = await newestLink(app, 'new@example.com')
    expect(await pending(device)).toEqual({ newEmail: 'new@example.com' })
    await device.post('/change-email/cancel')
    for (const link of [first, second]) expect(errorOf(await device.get(link))).toBe('invalid_token')
    expect({ address: await address(device), mails: await app.mailbox() }).toEqual({ address: alice.email, mails: [] })

    const unverified = await signUp(app, bob)
    await unverified.post('/change-email', { newEmail: 'bobby@example.com' })
    const link = await newestLink(app, 'bobby@example.com')
    expect(await pending(unverified)).toEqual({ newEmail: 'bobby@example.com' })
    await unverified.post('/change-email/cancel')
    expect(errorOf(await unverified.get(link))).toBe('invalid_token')
  })

  it('in the strict profile a taken address is pending like any other', async () => {
    const app = new TestApp({ ...open, profile: 'strict', emailAndPassword: { requireEmailVerification: false } })
    await verified(app, bob)
    const device = await signUp(app, alice)
    await app.clearMailbox()
    await device.post('/change-email', { newEmail: bob.email })
    expect({ pending: await pending(device), mails: await app.mailbox() }).toEqual({
      pending: { newEmail: bob.email },
      mails: [],
    })
  })
})

describe('POST /delete-user', () => {
  it('by password: the user and all their data, and the cookies', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const { body, cookies } = await device.post('/delete-user', { password: alice.password })
    expect(body).toEqual({ success: true, message: 'User deleted' })
    const cleared = cookies.filter((line) => line.includes('Max-Age=0')).map((line) => line.split('=')[0])
    const names = ['dont_remember', 'known_accounts', 'session_data', 'session_token']
    expect(cleared.sort()).toEqual(names.map((name) => `gatehouse.${name}`))
    for (const table of ['users', 'sessions', 'accounts'] as const) {
      expect(await rowOf(table)).toBeNull()
    }
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
  })

  it('by a fresh session, but not by a stale one', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const stale = vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 })
    const refused = await device.post('/delete-user', {})
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'USER_CANNOT_BE_DELETED_PLEASE_PROVIDE_A_PASSWORD_OR_TOKEN' },
    })
    // An extension does not make a session fresh.
    await device.get('/get-session', { query: { disableCookieCache: 'true' } })
    expect((await device.post('/delete-user', {})).status).toBe(400)
    await deleteAccounts()
    const expired = await device.post('/delete-user', {})
    expect(expired.body.code).toBe('SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION')
    stale.useRealTimers()
    expect((await device.post('/delete-user', {})).body.message).toBe('User deleted')
  })

  it('rejects a wrong password, a missing session, and every call where deletion is off', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const wrong = await device.post('/delete-user', { password: 'wrong-password' })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_PASSWORD' } })
    expect((await app.device().post('/delete-user', {})).status).toBe(401)
    const off = await signUp(new TestApp({ user: { deleteUser: { enabled: false } } }), bob)
    expect(await off.post('/delete-user', { password: bob.password })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect((await off.get('/delete-user/callback', { query: { token: 'x' } })).status).toBe(404)
    expect(await people()).toBe(2)
  })
})

describe('deletion by mail', () => {
  const byMail = () => new TestApp({ user: { deleteUser: { enabled: true, sendDeleteAccountVerification: true } } })

  it('a user with a password must give it; then the mail is sent, and nothing deleted yet', async () => {
    const app = byMail()
    const device = await signUp(app, alice)
    const without = await device.post('/delete-user', {})
    expect(without).toMatchObject({
      status: 400,
      body: { code: 'USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT' },
    })
    const { body } = await device.post('/delete-user', { password: alice.password, callbackURL: '/bye' })
    expect(body).toEqual({ success: true, message: 'Verification email sent' })
    expect(await people()).toBe(1)
    const link = new URL(await app.linkTo(alice.email))
    expect(link.searchParams.get('token')).toMatch(/^[0-9a-z]{32}$/)
    const done = await device.get(link.href)
    expect({ status: done.status, location: done.headers.get('location') }).toEqual({ status: 302, location: '/bye' })
    expect({ people: await people(), sessionToken: device.cookie('session_token') }).toEqual({
      people: 0,
      sessionToken: undefined,
    })
  })

  it('the page of another browser reads the record of a link that cannot be used once', async () => {
    const app = byMail()
    const device = await signUp(app, alice)
    await device.post('/delete-user', { password: alice.password })
    const link = await app.linkTo(alice.email)
    const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0' }
    const other = await signUp(app, bob)
    const { status, body, io } = await other.get(link, { headers })
    expect({ status, code: body.code, kv: io.kv }).toEqual({ status: 404, code: 'INVALID_TOKEN', kv: [1, 1] })
    expect((await app.device().get(link, { headers })).body.code).toBe('FAILED_TO_GET_USER_INFO')
    expect(await people()).toBe(2)
  })

  it('who has a placeholder for an address is mailed nothing: the fresh session is enough', async () => {
    const app = byMail()
    const device = app.device()
    await device.post('/sign-in/anonymous')
    expect((await device.post('/delete-user', {})).body).toEqual({ success: true, message: 'User deleted' })
    expect({ people: await people(), mails: await app.mailbox() }).toEqual({ people: 0, mails: [] })
  })

  it('the token works in the body as well, once, for its own user only, and for a day', async () => {
    const app = byMail()
    const device = await signUp(app, alice)
    const other = await signUp(app, bob)
    await device.post('/delete-user', { password: alice.password })
    const token = new URL(await app.linkTo(alice.email)).searchParams.get('token')!
    expect(await other.get('/delete-user/callback', { query: { token } })).toMatchObject({
      status: 404,
      body: { code: 'INVALID_TOKEN', message: 'invalid token' },
    })
    expect(await app.device().get('/delete-user/callback', { query: { token } })).toMatchObject({
      status: 404,
      body: { code: 'FAILED_TO_GET_USER_INFO' },
    })
    const tomorrow = vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 })
    expect((await device.post('/delete-user', { token })).body.code).toBe('INVALID_TOKEN')
    tomorrow.useRealTimers()
    expect((await device.post('/delete-user', { token })).body).toEqual({ success: true, message: 'User deleted' })
    expect(await people()).toBe(1)
  })
})

describe('strict: a change of address does not reveal which accounts exist', () => {
  const strict = () =>
    new TestApp({
      rateLimit: { enabled: false },
      profile: 'strict',
      emailAndPassword: { requireEmailVerification: false },
    })

  it.each(['a guest', 'an unverified person'])(
    '%s: the new address is taken when its mail was followed',
    async (who) => {
      const app = strict()
      await signUp(app, bob)
      const device = who === 'a guest' ? app.device() : await signUp(app, alice)
      if (who === 'a guest') await device.post('/sign-in/anonymous')
      await app.clearMailbox()
      const before = (await device.get('/get-session')).body.user.email
      const ask = async (newEmail: string) => {
        const { status, body, io } = await device.post('/change-email', { newEmail })
        const { email } = (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body.user
        return { status, body, d1: io.d1, email }
      }
      // One address is taken, the other is free: the responses are the same.
      const answers = [await ask(bob.email), await ask('new@example.com')]
      expect(answers[0]).toEqual({ status: 200, body: { status: true }, d1: answers[1]!.d1, email: before })
      expect(answers[1]).toEqual(answers[0])
      expect((await app.mailbox()).map(({ to }) => to)).toEqual(['new@example.com'])
      const link = await app.linkTo('new@example.com')
      expect((await app.device().get(`${link}&callbackURL=`)).headers.get('location') ?? '').toContain('unauthorized')
      await device.get(link)
      const { user } = (await device.get('/get-session')).body
      expect(user).toMatchObject({ email: 'new@example.com', emailVerified: true })
      // The second use of the link has the same result.
      expect((await device.get(link)).headers.get('location')).not.toContain('error')
    },
  )

  it('a verified person: the mail to the old address leads to one to the new', async () => {
    const app = strict()
    await signUp(app, bob)
    const device = await signUp(app, alice)
    await verifyAddresses()
    for (const newEmail of [bob.email, 'new@example.com']) {
      await app.clearMailbox()
      expect((await device.post('/change-email', { newEmail })).body).toEqual({ status: true })
      expect((await app.mailbox()).map(({ to }) => to)).toEqual([alice.email])
      const answer = await device.get(await app.linkTo(alice.email))
      expect(answer.headers.get('location')).not.toContain('error')
    }
    await device.get(await app.linkTo('new@example.com'))
    expect((await device.get('/get-session')).body.user).toMatchObject({
      email: 'new@example.com',
      emailVerified: true,
    })
    expect((await app.mailbox()).some(({ to }) => to === bob.email)).toBe(false)
  })

  it('nor does a number, at sign-up and later', async () => {
    const app = strict()
    const phoneNumber = '+15550001111'
    await signUp(app, bob)
    await updateUsers({ phoneNumber, phoneNumberVerified: true })
    const device = await signUp(app, alice, { phoneNumber })
    expect((await device.get('/get-session')).body.user.phoneNumber).toBeNull()
    for (const number of [phoneNumber, '+15550002222']) {
      const { status, body } = await device.post('/update-user', { phoneNumber: number })
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'PHONE_NUMBER_NEEDS_A_CODE' })
    }
  })
})

describe("a session that is not the user's own", () => {
  it('changes no address, deletes no user, and follows no deletion link', async () => {
    const app = new TestApp({ user: { deleteUser: { enabled: true, sendDeleteAccountVerification: true } } })
    const device = await signUp(app, alice)
    await device.post('/delete-user', { password: alice.password })
    const link = await app.linkTo(alice.email)
    await impersonateAs('admin')
    const answers = [
      await device.post('/change-email', { newEmail: 'x@example.com' }),
      await device.post('/delete-user', { password: alice.password }),
      await device.get(link),
    ]
    for (const { status, body } of answers)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'OWN_SESSION_REQUIRED' })
    expect(await people()).toBe(1)
  })
})

describe('a session', () => {
  it('is extended by any call of its owner, not by get-session alone', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const expiry = async () => (await rowOf('sessions'))!.expiresAt.getTime()
    const first = await expiry()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 })
    const { cookies } = await device.get('/list-accounts')
    expect(cookies[0]).toContain('session_token')
    expect((await expiry()) - first).toBeGreaterThanOrEqual(2 * 86_400_000)
  })
})

describe('names in mails', () => {
  it.each([
    ['Al\r\nVisit https://evil.example/now', 'Hello Al Visit https: / /evil. example/now,'],
    ['www.evil.example', 'Hello www. evil. example,'],
    ['Your account is locked: evil.example', 'Hello Your account is locked: evil. example,'],
  ])('%j: plain words on one line', async (name, greeting) => {
    const app = new TestApp()
    await signUp(app, alice)
    // A name that an earlier version stored; inputs no longer accept a line break.
    await updateUsers({ name })
    await app.clearMailbox()
    await app.device().post('/send-verification-email', { email: alice.email })
    const [mail] = await app.mailbox()
    expect(mail!.text.split('\n')).toContain(greeting)
    expect(mail!.links.filter((link) => link.includes('evil'))).toEqual([])
    expect(mail!.html).not.toContain('evil.example')
  })
})
