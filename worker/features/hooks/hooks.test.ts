import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { administrator } from '../../testing/admins.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { FaultInjector } from '../../testing/faults.ts'
import { type Answer, type Device, env, TestApp } from '../../testing/harness.ts'
import { company } from '../../testing/organizations.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { walk } from '../../testing/outside/walk.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { picture } from '../../testing/picture.ts'
import { count, storedRows } from '../../testing/rows.ts'
import { deleteUsers, updateUsers, verifyAddresses } from '../../testing/states.ts'
import { challenge, signUpProtected, stopClock } from '../../testing/two-factor.ts'
import type { Hooks } from './hooks.config.ts'

/** worker/features/webhooks/every-event.test.ts covers the hooks of each action. */

const provider = new OAuthProvider(google)
const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  for (const level of ['error', 'warn', 'info'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => lines.push(String(line)))
  }
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const appWith = (hooks: Partial<Hooks>, more: Config = {}) =>
  new TestApp({
    rateLimit: { enabled: false },
    socialProviders: { google: provider.options },
    phoneNumber: { signUpOnVerification: true },
    user: { deleteUser: { enabled: true } },
    hooks,
    ...more,
  } as Config)

const codeTo = async (app: TestApp, to: string) => (await app.mailbox()).find((entry) => entry.to === to)!.codes[0]!

/** Every way to create a user, on a device. */
const ways: [way: string, come: (app: TestApp, device: Device) => Promise<Answer>][] = [
  ['a password', (_, device) => device.post('/sign-up/email', alice)],
  ['nothing', (_, device) => device.post('/sign-in/anonymous')],
  [
    'a magic link',
    async (app, device) => {
      await device.post('/sign-in/magic-link', { email: alice.email })
      return device.get(await app.linkTo(alice.email))
    },
  ],
  [
    'a mailed code',
    async (app, device) => {
      await device.post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
      return device.post('/sign-in/email-otp', { email: alice.email, otp: await codeTo(app, alice.email) })
    },
  ],
  [
    'a number',
    async (app, device) => {
      const phoneNumber = '+15550001111'
      await device.post('/phone-number/send-otp', { phoneNumber })
      return device.post('/phone-number/verify', { phoneNumber, code: await codeTo(app, phoneNumber) })
    },
  ],
  ['a provider', (_, device) => walk(device, provider.install())],
]

const sessionCookies = ({ cookies }: Answer) => cookies.filter((line) => /session_token=[^;]/.test(line))

describe.each(['creatingUser', 'signingIn'] as const)('%s', (name) => {
  it.each(ways)('refuses a user who arrives by %s, with its own words; nothing is written', async (_way, come) => {
    const app = appWith({ [name]: () => ({ refuse: { code: 'NOT_INVITED', message: 'Ask Bob' } }) })
    const answer = await come(app, app.device())
    if (answer.status === 302) expect(answer.headers.get('location')).toMatch(/[?&]error=NOT_INVITED(&|$)/)
    else
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 403,
        body: { code: 'NOT_INVITED', message: 'Ask Bob' },
      })
    expect(sessionCookies(answer)).toEqual([])
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 0, sessions: 0 })
  })

  it.each(ways.slice(0, 5))(
    'that throws is a 503 for a user who arrives by %s, and the log says why',
    async (_way, come) => {
      const app = appWith({
        [name]: () => {
          throw new Error('the guest list is on fire')
        },
      })
      const answer = await come(app, app.device())
      expect({ status: answer.status, code: answer.body.code, retryAfter: answer.headers.get('retry-after') }).toEqual({
        status: 503,
        code: 'UNAVAILABLE',
        retryAfter: '5',
      })
      expect(JSON.stringify(answer.body)).not.toContain('fire')
      expect(lines.find((line) => line.includes(`the hook ${name}`))).toContain('the guest list is on fire')
      expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 0, sessions: 0 })
    },
  )

  it('that hangs is a 503 after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const hangs = () => {
      queueMicrotask(() => vi.advanceTimersByTime(5000))
      return new Promise<undefined>(() => {})
    }
    const app = appWith({ [name]: hangs })
    expect((await app.device().post('/sign-up/email', alice)).status).toBe(503)
    expect(await count('users')).toBe(0)
  })

  it.each([
    [{ code: 'not a code', message: 'x' }],
    [{ code: 'OK', message: 'x', status: 200 }],
    [{ code: 'OOPS', message: 'x', status: 500 }],
  ])('that refuses with %j is a 503', async (refuse) => {
    const app = appWith({ [name]: () => ({ refuse }) })
    expect((await app.device().post('/sign-up/email', alice)).status).toBe(503)
  })

  it('that accepts later: a rejection has used nothing, and the same link works', async () => {
    let refuses = true
    const app = appWith({ [name]: () => (refuses ? { refuse: { code: 'NOT_YET', message: 'Later' } } : undefined) })
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    const link = await app.linkTo(alice.email)
    expect((await app.device().get(link)).headers.get('location')).toContain('error=NOT_YET')
    refuses = false
    expect((await app.device().get(link)).headers.get('location')).not.toContain('error=')
    expect(await count('users')).toBe(1)
  })
})

describe('creatingUser', () => {
  const additionalFields = {
    plan: { type: 'string', input: false, defaultValue: 'free' },
    seats: { type: 'number', required: false },
  } as const

  it('sets name, picture and fields, including those that users cannot set', async () => {
    const creatingUser: Hooks['creatingUser'] = ({ user }) => ({
      change: { name: `${user.name} (${user.email.split('@')[1]})`, image: 'https://example.com/a.png', plan: 'team' },
    })
    const app = appWith({ creatingUser }, { user: { additionalFields } })
    const device = await signUp(app, alice, { seats: 4, plan: 'mine' })
    expect((await device.get('/get-session')).body.user).toMatchObject({
      name: 'Alice (example.com)',
      image: 'https://example.com/a.png',
      plan: 'team',
      seats: 4,
    })
  })

  it.each([
    [{ role: 'admin' }],
    [{ emailVerified: true }],
    [{ email: 'other@example.com' }],
    [{ plan: 7 }],
    [{ name: 7 }],
    [{ __proto__x: 1 }],
  ])('that would change %j is a 503, and no user is written', async (change) => {
    const app = appWith({ creatingUser: () => ({ change }) as never }, { user: { additionalFields } })
    expect((await app.device().post('/sign-up/email', alice)).status).toBe(503)
    expect(await count('users')).toBe(0)
  })

  it('refuses what an administrator creates as well', async () => {
    const app = appWith({ creatingUser: () => ({ refuse: { code: 'FULL', message: 'Full', status: 409 } }) })
    const { device } = await administrator(app)
    const { status, body } = await device.post('/admin/create-user', bob)
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'FULL' })
  })
})

describe('signingIn', () => {
  it('is asked when the second factor is passed, and not for a token that takes another’s place', async () => {
    stopClock()
    const asked: string[] = []
    const app = appWith({ signingIn: ({ method, proven }) => void asked.push(`${method} ${proven}`) })
    const { totpURI } = await signUpProtected(app)
    expect(asked).toEqual(['sign-up creation'])
    const device = await challenge(app)
    expect(asked).toHaveLength(1)
    await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect(asked.slice(1)).toEqual(['email second-factor'])
  })

  it('knows the request: address, country, language', async () => {
    let known: unknown
    const app = appWith({
      signingIn: (_event, { request, env: bindings }) => {
        known = { ...request, bindings: bindings.KV === env.KV }
      },
    })
    await app.device('100.64.9.9').post('/sign-up/email', alice, { headers: { 'accept-language': 'de' } })
    expect(known).toEqual({
      ip: '100.64.9.9',
      city: null,
      country: null,
      language: 'de',
      userAgent: 'harness/1.0',
      bindings: true,
    })
  })
})

describe('updatingUser', () => {
  it('rejects or amends changes of users and administrators', async () => {
    const updatingUser: Hooks['updatingUser'] = ({ user, changes }) => {
      if (changes.name === 'Root') return { refuse: { code: 'NAME_RESERVED', message: 'No', status: 400 } }
      return { change: { name: `${changes.name}, once ${user.name}` } }
    }
    const app = appWith({ updatingUser })
    const device = await signUp(app, alice)
    const refused = await device.post('/update-user', { name: 'Root' })
    expect(refused).toMatchObject({ status: 400, body: { code: 'NAME_RESERVED' } })
    await device.post('/update-user', { name: 'Al' })
    expect((await device.get('/get-session')).body.user.name).toBe('Al, once Alice')
    const admin = await administrator(app)
    const { id: userId } = (await device.get('/get-session')).body.user
    const { status } = await admin.device.post('/admin/update-user', { userId, data: { name: 'Root' } })
    expect(status).toBe(400)
  })
})

describe('updatingUser, at a sign-in that takes the name from the provider', () => {
  it('amends one field, and the session still shows the others', async () => {
    const additionalFields = { plan: { type: 'string', defaultValue: 'free' }, seen: { type: 'string' } } as const
    const app = appWith(
      { updatingUser: () => ({ change: { seen: 'yes' } }) },
      {
        user: { additionalFields },
        socialProviders: { google: { ...provider.options, overrideUserInfoOnSignIn: true } },
      },
    )
    provider.install()
    await walk(app.device(), provider)
    await updateUsers({ name: 'Old' })
    const device = app.device()
    await walk(device, provider)
    expect((await device.get('/get-session')).body.user).toMatchObject({ plan: 'free', seen: 'yes' })
  })
})

describe('updatingUser, on every way to be called or reached otherwise', () => {
  const number = '+15550001111'
  const asAdmin = (change: object) => async (app: TestApp, _: Device, userId: string) =>
    (await administrator(app)).device.post('/admin/update-user', { userId, data: change })

  type Way = (app: TestApp, device: Device, userId: string) => Promise<Answer>
  const ways: [name: string, changes: object, way: Way, config?: Config][] = [
    ['name', { name: 'Al' }, (_, device) => device.post('/update-user', { name: 'Al' })],
    ['picture', { image: null }, (_, device) => device.post('/update-user', { image: null })],
    ['picture, uploaded', { image: expect.any(String) }, (_, device) => device.post('/avatar', { webp: picture(16) })],
    ['username', { username: 'alan' }, (_, device) => device.post('/update-user', { username: 'alan' })],
    ['number, claimed', { phoneNumber: number }, (_, device) => device.post('/update-user', { phoneNumber: number })],
    [
      'number, by code',
      { phoneNumber: number },
      async (app, device) => {
        await device.post('/phone-number/send-otp', { phoneNumber: number })
        const { codes } = (await app.mailbox())[0]!
        return device.post('/phone-number/verify', { phoneNumber: number, code: codes[0], updatePhoneNumber: true })
      },
    ],
    ['address, unproven', { email: bob.email }, (_, device) => device.post('/change-email', { newEmail: bob.email })],
    [
      'address, proven',
      { email: bob.email },
      async (_, device) => {
        await verifyAddresses()
        return device.post('/change-email', { newEmail: bob.email })
      },
    ],
    [
      'address, strict',
      { email: bob.email },
      (_, device) => device.post('/change-email', { newEmail: bob.email }),
      { profile: 'strict', emailAndPassword: { requireEmailVerification: false } },
    ],
    ['name, by an administrator', { name: 'Al' }, asAdmin({ name: 'Al' })],
    ['address, by an administrator', { email: bob.email }, asAdmin({ email: bob.email })],
  ]

  it.each(ways)('%s: is asked once; a refusal leaves everything as it was', async (_, changes, way, config = {}) => {
    const asked: object[] = []
    const updatingUser: Hooks['updatingUser'] = ({ changes }) => {
      asked.push(changes)
      return { refuse: { code: 'NOT_NOW', message: 'No' } }
    }
    const app = appWith({ updatingUser }, { user: { changeEmail: { enabled: true } }, ...config })
    const device = await signUp(app, alice)
    const userId: string = (await device.get('/get-session')).body.user.id
    const state = async () => [
      (await storedRows('users', 'id', 'name', 'email', 'image', 'phone_number', 'username')).find(
        (user) => user.id === userId,
      ),
      (await app.mailbox()).filter(({ channel }) => channel === 'email').length,
    ]
    const before = await state()
    const { status, body } = await way(app, device, userId)
    expect({ status, body }).toEqual({ status: 403, body: { code: 'NOT_NOW', message: 'No' } })
    expect(asked).toEqual([expect.objectContaining(changes)])
    expect(await state()).toEqual(before)
  })

  it('is not asked about a number before its code is right, and leaves the code to be used', async () => {
    let refused = true
    const updatingUser = vi.fn(() => (refused ? { refuse: { code: 'NOT_NOW', message: 'No' } } : undefined))
    const app = appWith({ updatingUser })
    const device = await signUp(app, alice)
    await device.post('/phone-number/send-otp', { phoneNumber: number })
    const [code = ''] = (await app.mailbox())[0]!.codes
    const verify = (code: string) =>
      device.post('/phone-number/verify', { phoneNumber: number, code, updatePhoneNumber: true })
    const wrong = await verify(code === '000000' ? '111111' : '000000')
    expect({ code: wrong.body.code, calls: updatingUser.mock.calls.length }).toEqual({ code: 'INVALID_OTP', calls: 0 })
    expect((await verify(code)).body.code).toBe('NOT_NOW')
    refused = false
    expect((await verify(code)).status).toBe(200)
  })

  it('is not called for confirmations, roles, bans and passwords', async () => {
    const updatingUser = vi.fn(() => ({ refuse: { code: 'NOT_NOW', message: 'No' } }))
    const app = appWith({ updatingUser })
    const device = await signUp(app, alice)
    expect((await device.get(await app.linkTo(alice.email))).status).toBeLessThan(400)
    const change = { currentPassword: alice.password, newPassword: 'another-password' }
    expect((await device.post('/change-password', change)).status).toBe(200)
    const admin = await administrator(app)
    const { id: userId } = (await device.get('/get-session')).body.user
    for (const [path, body] of [
      ['set-role', { role: 'admin' }],
      ['ban-user', {}],
      ['unban-user', {}],
    ] as const) {
      expect((await admin.device.post(`/admin/${path}`, { userId, ...body })).status).toBe(200)
    }
    expect(updatingUser).not.toHaveBeenCalled()
  })
})

describe('deletingUser', () => {
  it('rejects, and nothing changes', async () => {
    const app = appWith({ deletingUser: () => ({ refuse: { code: 'INVOICE_OPEN', message: 'Pay first' } }) })
    const device = await signUp(app, alice)
    const { status, body } = await device.post('/delete-user', { password: alice.password })
    expect({ status, body }).toEqual({ status: 403, body: { code: 'INVOICE_OPEN', message: 'Pay first' } })
    expect((await device.get('/list-sessions')).body).toHaveLength(1)
  })
})

/** A hook that never ends. Its limit, the timer that was set last before the call, is over at once. */
function hanging() {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  return function hangs() {
    const [expire] = timers.mock.lastCall!
    queueMicrotask(expire)
    return new Promise<void>(() => {})
  }
}

describe('a hook in the past tense', () => {
  const reactions = ['userCreated', 'sessionIssued', 'signedOut', 'organizationCreated', 'memberAdded'] as const

  it('never fails a request: what it throws, and that it hangs, is only logged', async () => {
    const throws = async () => {
      throw new Error('the receiver is gone')
    }
    const hangs = hanging()
    // userCreated is a job with its own tests below.
    const others = reactions.filter((name) => name !== 'userCreated')
    for (const hook of [throws, hangs]) {
      const app = appWith(Object.fromEntries(others.map((name) => [name, hook])))
      const device = app.device()
      expect((await device.post('/sign-up/email', { ...alice, email: `${hook.name}@example.com` })).status).toBe(200)
      const organization = { name: 'Acme', slug: hook.name }
      expect((await device.post('/organization/create', organization)).status).toBe(200)
      expect((await device.post('/sign-out')).status).toBe(200)
    }
    const failed = lines.filter((line) => line.includes('hook-failed')).map((line) => JSON.parse(line).hook)
    expect(failed.sort()).toEqual([...others, ...others].sort())
  })

  it('receives plain facts, without tokens, hashes or the ids of invitations', async () => {
    const told: unknown[] = []
    const names: (keyof Hooks)[] = [...reactions, 'creatingUser', 'signingIn', 'invitationCreated', 'passwordReset']
    const app = appWith(Object.fromEntries(names.map((name) => [name, (event: unknown) => void told.push(event)])))
    const at = await company(app, 'acme')
    const invited = { email: bob.email, role: 'member', organizationId: at.id }
    const { id } = (await at.owner.device.post('/organization/invite-member', invited)).body
    const device = await signUp(app, alice)
    const { session } = (await device.get('/get-session')).body
    await device.post('/sign-out')
    expect(told.length).toBeGreaterThan(6)
    const text = JSON.stringify(told)
    for (const secret of [id, session.token, alice.password, 'securityVersion', 'teamId']) {
      expect(text).not.toContain(secret)
    }
    expect(text).toContain(session.id)
  })

  it('may do more after the answer', async () => {
    const done: string[] = []
    const app = appWith({ userCreated: ({ user }, { after }) => after(() => done.push(user.email)) })
    await signUp(app, alice)
    expect(done).toEqual([alice.email])
  })
})

describe('the argument of a hook', () => {
  it('is a copy: nothing comes of what it does with it, in this hook or the next', async () => {
    const dates: string[] = []
    const spoil = ({ user }: { user: { createdAt?: unknown; tags?: unknown } }) => {
      dates.push((user.createdAt as Date).toISOString())
      const when = user.createdAt as Date
      when.setFullYear(1970)
      const tags = user.tags as string[]
      tags.push('admin')
    }
    const more = { user: { additionalFields: { tags: { type: 'string[]', required: false } } } } as Config
    const app = appWith({ creatingUser: spoil, signingIn: spoil, userCreated: spoil, sessionIssued: spoil }, more)
    const device = app.device()
    const { status, body } = await device.post('/sign-up/email', { ...alice, tags: ['a'] })
    expect({ status, tags: body.user.tags }).toEqual({ status: 200, tags: ['a'] })
    const { user } = (await device.get('/get-session?disableCookieCache=true')).body
    expect({ tags: user.tags, createdAt: user.createdAt }).toEqual({ tags: ['a'], createdAt: dates[0] })
    expect(dates).toEqual(Array(4).fill(user.createdAt))
  })
})

describe('a configuration', () => {
  it.each([
    [{ userCraeted: () => {} }, /hooks\.userCraeted.*did you mean hooks\.userCreated/],
    [{ userCreated: 'call me' }, /hooks\.userCreated/],
  ])('that cannot work is refused: %j', (hooks, reason) => {
    expect(() => appWith(hooks as never)).toThrow(reason)
  })
})

describe('userCreated', () => {
  const later = () => vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] })

  it('is called once, in the batch of the sign-up: with what the request was, at no cost before the answer', async () => {
    const told: unknown[] = []
    const app = appWith({ userCreated: ({ user }, { request }) => void told.push([user.email, request]) })
    const device = app.device()
    const { io } = await device.post('/sign-up/email', alice, { headers: { 'accept-language': 'de' } })
    const without = await appWith({}).device().post('/sign-up/email', bob)
    expect(io.d1![0]).toBe(without.io.d1![0])
    const request = { ip: device.ip, city: null, country: null, language: 'de', userAgent: 'harness/1.0' }
    expect(told).toEqual([[alice.email, request]])
    later()
    await app.runScheduled()
    expect({ told: told.length, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      told: 1,
      pendingJobs: 0,
    })
  })

  it('is called where the answer of the sign-up was lost', async () => {
    const told: string[] = []
    const faults = new FaultInjector()
    const hooks = { userCreated: ({ user }: { user: { email: string } }) => void told.push(user.email) }
    const config = { rateLimit: { enabled: false }, hooks } as Config
    const app = new TestApp(config, faults.bindings(), false)
    faults.watch()
    await app.device().post('/sign-up/email', bob)
    // Only the first call of an isolate reads the defences.
    const batch = faults.calls.filter((call) => call !== 'KV get').indexOf('D1 batch') + 1
    faults.arm({ at: batch, when: 'after' })
    const { status } = await app.device().post('/sign-up/email', alice)
    expect({ status, users: await count('users') }).toEqual({ status: 503, users: 2 })
    faults.watch()
    later()
    await app.runScheduled()
    expect({ told, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      told: [bob.email, alice.email],
      pendingJobs: 0,
    })
  })

  it('is called again after a failure, and not for a deleted user', async () => {
    let fails = true
    const told: string[] = []
    const app = appWith({
      userCreated: ({ user }) => {
        told.push(user.email)
        if (fails) throw new Error('not yet')
      },
    })
    await signUp(app, alice)
    await signUp(app, bob)
    expect({ told, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      told: [alice.email, bob.email],
      pendingJobs: 2,
    })
    await deleteUsers({ email: bob.email })
    fails = false
    later()
    await app.runScheduled()
    expect({ told, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      told: [alice.email, bob.email, alice.email],
      pendingJobs: 0,
    })
  })

  it('that hangs fails no sign-up, and is called again', async () => {
    const hangs = hanging()
    expect((await appWith({ userCreated: hangs }).device().post('/sign-up/email', alice)).status).toBe(200)
    expect(lines.some((line) => line.includes('hook-failed') && line.includes('userCreated'))).toBe(true)
    expect(await count('jobs', { state: 'pending' })).toBe(1)
  })

  it('is not called where no user was written', async () => {
    const told: string[] = []
    const app = appWith({ userCreated: ({ user }) => void told.push(user.email) })
    await signUp(app, alice)
    expect((await app.device().post('/sign-up/email', alice)).status).toBe(422)
    expect({ told, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      told: [alice.email],
      pendingJobs: 0,
    })
  })
})
