import { describe, expect, it, vi } from 'vitest'
import { type Answer, TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { deleteAccounts, deleteUsers } from '../../testing/states.ts'

// Hundreds of requests and dozens of password hashes are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const unlimited = { rateLimit: { enabled: false } }
const outcome = ({ status, body }: Answer) => ({ status, code: body.code, message: body.message })
const taken = {
  status: 422,
  code: 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
  message: 'username is already taken. please try another.',
}
const short = { status: 422, code: 'USERNAME_IS_TOO_SHORT', message: 'username is too short' }
const long = { status: 422, code: 'USERNAME_IS_TOO_LONG', message: 'username is too long' }
const invalid = { status: 422, code: 'USERNAME_IS_INVALID', message: 'username is invalid' }
const wrong = { status: 401, code: 'INVALID_USERNAME_OR_PASSWORD', message: 'invalid username or password' }

const badNames: [string, unknown, typeof invalid][] = [
  ['two letters', 'ab', short],
  ['nothing', '', short],
  ['31 letters', 'a'.repeat(31), long],
  ['a space', 'bad name', invalid],
  ['a hyphen', 'bad-name', invalid],
  ['letters that only look like ours', 'аlice', invalid],
  ['a Kelvin sign', '\u212Aelvin', invalid],
  ['a line break', 'alice\n', invalid],
  ['a number', 12345, invalid],
  ['a list', ['alice'], invalid],
]

describe('POST /sign-up/email with a username', () => {
  it('stores it in lower case, and shows it as given', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice, { username: 'John.Doe_1', displayUsername: 'John Doe' })
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ username: 'john.doe_1', displayUsername: 'John Doe' })
    const other = await signUp(app, bob, { username: 'Jane' })
    expect((await other.get('/get-session')).body.user).toMatchObject({ username: 'jane', displayUsername: 'Jane' })
  })

  it('null without one', async () => {
    const device = await signUp(new TestApp(), alice)
    expect((await device.get('/get-session')).body.user).toMatchObject({ username: null, displayUsername: null })
  })

  it.each(badNames)('422 for %s, and nothing is written', async (_what, username, expected) => {
    expect(outcome(await new TestApp().device().post('/sign-up/email', { ...alice, username }))).toEqual(expected)
    expect(await count('users')).toBe(0)
  })

  it('422 for a display name with two lines, or one that is too long', async () => {
    for (const displayUsername of ['a\nb', 'x'.repeat(65), '', 7]) {
      const answer = await new TestApp(unlimited)
        .device()
        .post('/sign-up/email', { ...alice, username: 'alice', displayUsername })
      expect(outcome(answer)).toEqual({
        status: 422,
        code: 'DISPLAY_USERNAME_IS_INVALID',
        message: 'display username is invalid',
      })
    }
  })

  it('422 when it is taken, in any case, also for a taken address, also in the strict profile', async () => {
    for (const profile of ['compatible', 'strict'] as const) {
      await deleteUsers()
      const app = new TestApp({ ...unlimited, profile })
      await signUp(app, alice, { username: 'alice' })
      for (const person of [bob, alice]) {
        expect(outcome(await app.device().post('/sign-up/email', { ...person, username: 'ALICE' }))).toEqual(taken)
      }
      expect(await count('users')).toBe(1)
    }
  })

  it('20 users at once: one gets it, the others get the error', async () => {
    const app = new TestApp(unlimited)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        app
          .device()
          .post('/sign-up/email', { ...alice, email: `p${n}@example.com`, username: n % 2 ? 'Same' : 'same' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(outcome(answer)).toEqual(taken)
    expect(await count('users')).toBe(1)
  })
})

describe('POST /update-user with a username', () => {
  it('changes both names; the display name alone; the own one again; none', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice, { username: 'jane' })
    const names = async () => {
      const { username, displayUsername } = (await device.get('/get-session')).body.user
      return [username, displayUsername]
    }
    expect(await device.post('/update-user', { username: 'Jane2' })).toMatchObject({
      status: 200,
      body: { status: true },
    })
    expect(await names()).toEqual(['jane2', 'Jane2'])
    await device.post('/update-user', { displayUsername: 'Jane the Second' })
    expect(await names()).toEqual(['jane2', 'Jane the Second'])
    expect((await device.post('/update-user', { username: 'JANE2' })).status).toBe(200)
    expect(await names()).toEqual(['jane2', 'JANE2'])
    await device.post('/update-user', { username: null })
    expect(await names()).toEqual([null, null])
  })

  it('422 when it is taken or invalid', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, bob, { username: 'bobby' })
    const device = await signUp(app, alice, { username: 'jane' })
    expect(outcome(await device.post('/update-user', { username: 'Bobby' }))).toEqual(taken)
    for (const [, username, expected] of badNames) {
      expect(outcome(await device.post('/update-user', { username }))).toEqual(expected)
    }
    expect((await device.get('/get-session')).body.user.username).toBe('jane')
  })

  it('two users at once: one gets it', async () => {
    const app = new TestApp(unlimited)
    const people = await Promise.all([signUp(app, alice), signUp(app, bob)])
    const answers = await Promise.all(people.map((device) => device.post('/update-user', { username: 'prize' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(outcome(answers.find(({ status }) => status === 422)!)).toEqual(taken)
  })
})

describe('POST /sign-in/username', () => {
  it('200: token and user with the username, in two round trips', async () => {
    const app = new TestApp()
    await signUp(app, alice, { username: 'alice' })
    const device = app.device()
    const { status, body, io } = await device.post('/sign-in/username', { username: 'ALICE', password: alice.password })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['token', 'user'])
    expect(Object.keys(body.user).sort()).toEqual(
      ['id', 'email', 'emailVerified', 'username', 'name', 'image', 'createdAt', 'updatedAt'].sort(),
    )
    expect(body.user.username).toBe('alice')
    expect((await device.get('/get-session')).body.session.token).toBe(body.token)
    expect({ d1: io.d1![0], durable: io.durable![0] }).toEqual({ d1: 2, durable: 2 })
  })

  it('rememberMe false: cookies without a lifetime', async () => {
    const app = new TestApp()
    await signUp(app, alice, { username: 'alice' })
    const given = { username: 'alice', password: alice.password, rememberMe: false }
    const { cookies } = await app.device().post('/sign-in/username', given)
    expect(cookies[0]).not.toContain('Max-Age')
    expect(cookies[1]).toMatch(/^gatehouse\.dont_remember=true\./)
  })

  it('401, the same response for a wrong password, an unknown user, a user without a password, and empty fields', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice, { username: 'alice' })
    await signUp(app, bob, { username: 'bobby' })
    await deleteAccounts({ userId: (await rowOf('users', { username: 'bobby' }))!.id })
    for (const given of [
      { username: 'alice', password: 'wrong-password' },
      { username: 'unknown', password: alice.password },
      { username: 'bobby', password: bob.password },
      { username: '', password: '' },
      { username: 'alice', password: '' },
    ]) {
      expect(outcome(await app.device().post('/sign-in/username', given))).toEqual(wrong)
    }
  })

  it('422 for an invalid username, 400 for missing fields', async () => {
    const device = new TestApp(unlimited).device()
    for (const [, username, expected] of badNames) {
      if (typeof username !== 'string' || username === '') continue
      expect(outcome(await device.post('/sign-in/username', { username, password: alice.password }))).toEqual(expected)
    }
    expect((await device.post('/sign-in/username', {})).body.code).toBe('VALIDATION_ERROR')
    expect((await device.post('/sign-in/username', { username: 5, password: 'x' })).body.code).toBe('VALIDATION_ERROR')
  })

  it('403 EMAIL_NOT_VERIFIED and a new mail, where verification is required', async () => {
    const app = new TestApp({ ...unlimited, emailAndPassword: { requireEmailVerification: true } })
    await app.device().post('/sign-up/email', { ...alice, username: 'alice' })
    await app.clearMailbox()
    const answer = await app.device().post('/sign-in/username', { username: 'alice', password: alice.password })
    expect(outcome(answer)).toEqual({ status: 403, code: 'EMAIL_NOT_VERIFIED', message: 'email not verified' })
    expect(await app.mailbox()).toHaveLength(1)
  })

  it('guesses by username and by address count separately, so that they do not reveal one user', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 4 } })
    const own = await signUp(app, alice, { username: 'alice' })
    const byName = { username: 'alice', password: 'wrong-password' }
    const guesses = Array.from({ length: 20 }, () => app.device().post('/sign-in/username', byName))
    const answers = await Promise.all(guesses)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4)
    const right = { username: 'alice', password: alice.password }
    expect((await app.device().post('/sign-in/username', right)).status).toBe(429)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    // A browser that has signed in before has a separate budget.
    expect((await own.post('/sign-in/username', right)).status).toBe(200)
  })

  it('three tries in ten seconds from one address', async () => {
    const device = new TestApp().device()
    const guess = () => device.post('/sign-in/username', { username: 'alice', password: 'wrong-password' })
    for (let n = 0; n < 3; n++) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
  })

  it('404 where usernames are off, and the field is ignored', async () => {
    const app = new TestApp({ username: { enabled: false } })
    const device = await signUp(app, alice, { username: 'alice' })
    expect((await device.get('/get-session')).body.user).not.toHaveProperty('username')
    expect((await device.post('/sign-in/username', { username: 'alice', password: alice.password })).status).toBe(404)
    expect((await device.post('/is-username-available', { username: 'alice' })).status).toBe(404)
  })
})

describe('POST /is-username-available', () => {
  it('returns whether a user has it, in any case', async () => {
    const app = new TestApp()
    await signUp(app, alice, { username: 'alice' })
    const device = app.device()
    const ask = (username: unknown) => device.post('/is-username-available', { username })
    expect((await ask('ALICE')).body).toEqual({ available: false })
    expect((await ask('alice2')).body).toEqual({ available: true })
    expect(outcome(await ask('ab'))).toEqual(short)
    expect(outcome(await ask('a b c'))).toEqual(invalid)
    expect((await ask(undefined)).status).toBe(400)
  })

  it('429 for the enumeration of usernames', async () => {
    const device = new TestApp().device()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => device.post('/is-username-available', { username: `user${n}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })
})
