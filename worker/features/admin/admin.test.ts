import { describe, expect, it } from 'vitest'
import { administrator, auditRows, type Known, plain, root, withRole } from '../../testing/admins.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { type Answer, type Device, outcome, TestApp } from '../../testing/harness.ts'
import { addPasskey } from '../../testing/passkeys.ts'
import { alice, bob, type Person, signIn, signUp } from '../../testing/people.ts'
import { count, insertRows, rowsOf, storedRows } from '../../testing/rows.ts'
import {
  deleteAccounts,
  demandSecondFactor,
  idOf,
  impersonateAs,
  updateUsers,
  verifyAddresses,
} from '../../testing/states.ts'
import { challenge } from '../../testing/two-factor.ts'
import { adminOptions } from './admin.config.ts'

const unlimited = { rateLimit: { enabled: false } }
const newApp = (admin: object = {}) => new TestApp({ ...unlimited, admin })

const post = async (device: Device, path: string, body: object) => {
  const { status, body: answer } = await device.post(`/admin/${path}`, body)
  return answer.code ? { status, code: answer.code } : { status, body: answer }
}

const userRow = async (id: string) => (await storedRows('users')).find((user) => user.id === id) ?? null

const isSignedIn = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body !== null

const admins = async () =>
  (await rowsOf('users', { banned: false })).filter(({ role }) => role.includes('admin')).length

/** Every endpoint that acts on a user, with its error code for a caller without the permission. */
const guarded: [path: string, body: (id: string) => object, code: string][] = [
  ['set-role', (userId) => ({ userId, role: 'user' }), 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE'],
  ['create-user', () => ({ ...bob, email: 'new@example.com' }), 'YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS'],
  ['update-user', (userId) => ({ userId, data: { name: 'N' } }), 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS'],
  ['list-user-sessions', (userId) => ({ userId }), 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS'],
  ['ban-user', (userId) => ({ userId }), 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS'],
  ['unban-user', (userId) => ({ userId }), 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS'],
  ['impersonate-user', (userId) => ({ userId }), 'YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS'],
  ['revoke-user-session', () => ({ sessionToken: 'x' }), 'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS'],
  ['revoke-user-sessions', (userId) => ({ userId }), 'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS'],
  ['remove-user', (userId) => ({ userId }), 'YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS'],
  [
    'set-user-password',
    (userId) => ({ userId, newPassword: 'another-password' }),
    'YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD',
  ],
]

describe('who may administer', () => {
  it('403 with the message of the action for a plain user, 401 without a session', async () => {
    const app = newApp()
    const person = await plain(app, alice)
    const other = await plain(app, bob)
    for (const [path, body, code] of guarded) {
      const answer = await person.device.post(`/admin/${path}`, body(other.id))
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({ path, status: 403, code })
      expect(answer.body.message.toUpperCase().replaceAll(' ', '_')).toBe(code)
      expect((await post(app.device(), path, body(other.id))).status).toBe(401)
    }
    for (const [path, code] of [
      ['list-users', 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'],
      ['get-user?id=x', 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'],
      ['audit', 'YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG'],
    ]) {
      const answer = await person.device.get(`/admin/${path}`)
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 403, code })
      expect((await app.device().get(`/admin/${path}`)).status).toBe(401)
    }
    expect(await auditRows()).toEqual([])
  })

  it.each(['Admin', ' admin', 'administrator', 'admin;user', '["admin"]', 'superuser', ''])(
    'a role that is spelt %j gives no right',
    async (role) => {
      const app = newApp()
      const { device } = await withRole(app, alice, role)
      const { status } = await device.get('/admin/list-users')
      // A stored role is canonical, without surrounding white space.
      expect(status).toBe(role.trim() === 'admin' ? 200 : 403)
    },
  )

  it('a session of an impersonation never administers, nor does that of an API key', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    await impersonateAs('another')
    expect((await device.get('/admin/list-users')).body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_LIST_USERS')
  })

  it('a listed id may do everything, with any role', async () => {
    const other = newApp()
    const { id, device } = await plain(other, alice)
    const app = newApp({ adminUserIds: [id] })
    const listed = app.device()
    for (const [name, value] of device.jar) listed.jar.set(name, value)
    expect((await listed.get('/admin/list-users')).status).toBe(200)
    expect((await device.get('/admin/list-users')).status).toBe(403)
    const { id: bobId } = await plain(app, bob)
    expect((await post(listed, 'set-role', { userId: bobId, role: 'admin' })).status).toBe(200)
    // Only a user with every permission may act on a listed user, who counts as an administrator.
    const half = newApp({ adminUserIds: [id], roles: { half: { user: ['ban'] }, owner: { shop: ['close'] } } })
    const admin = await signIn(half, bob)
    expect(await post(admin, 'ban-user', { userId: id })).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS',
    })
  })

  it('the feature can be switched off: its paths are not found', async () => {
    const app = newApp({ enabled: false })
    const { device } = await administrator(app)
    expect((await device.get('/admin/list-users')).status).toBe(404)
    const { body } = await device.get('/get-session')
    expect(Object.keys(body.user)).not.toContain('role')
  })
})

describe('custom roles', () => {
  const roles = { moderator: { user: ['list', 'ban'] }, clerk: { user: ['set-role', 'create'], shop: ['open'] } }

  it('allow their permissions, and several roles add up', async () => {
    const app = newApp({ roles })
    const { device } = await withRole(app, alice, 'moderator,clerk')
    const other = await plain(app, bob)
    expect((await device.get('/admin/list-users')).status).toBe(200)
    expect((await post(device, 'ban-user', { userId: other.id })).status).toBe(200)
    expect((await post(device, 'remove-user', { userId: other.id })).status).toBe(403)
    expect(
      (await post(device, 'set-user-password', { userId: other.id, newPassword: 'another-password' })).status,
    ).toBe(403)
  })

  it('403 for a role with permissions that the caller does not have, at set-role and create-user', async () => {
    const app = newApp({ roles })
    const { device, id } = await withRole(app, alice, 'clerk')
    const other = await plain(app, bob)
    const boss = await administrator(app)
    const refused = { status: 403, code: 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE' }
    expect(await post(device, 'set-role', { userId: other.id, role: 'admin' })).toEqual(refused)
    expect(await post(device, 'set-role', { userId: id, role: 'clerk,admin' })).toEqual(refused)
    expect(await post(device, 'set-role', { userId: id, role: ['clerk', 'moderator'] })).toEqual(refused)
    expect(await post(device, 'set-role', { userId: boss.id, role: 'user' })).toEqual(refused)
    expect((await post(device, 'set-role', { userId: other.id, role: 'clerk' })).status).toBe(200)
    const made = { name: 'New', email: 'new@example.com', password: 'password1234' }
    expect(await post(device, 'create-user', { ...made, role: 'admin' })).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS',
    })
    expect((await post(device, 'create-user', { ...made, role: 'clerk' })).status).toBe(200)
    expect(await admins()).toBe(1)
  })

  it.each(guarded.filter(([path]) => !['create-user', 'list-user-sessions', 'unban-user'].includes(path)))(
    '%s: 403 for a user with more permissions than the caller',
    async (path, body, code) => {
      const all = { user: ['set-role', 'update', 'ban', 'impersonate', 'delete', 'set-password'], session: ['revoke'] }
      const app = newApp({ roles: { helper: all } })
      const helper = await withRole(app, alice, 'helper')
      const boss = await administrator(app)
      const token = decodeURIComponent(boss.device.cookie('session_token')!).split('.')[0]!
      const asked = path === 'revoke-user-session' ? { sessionToken: token } : body(boss.id)
      expect(await post(helper.device, path, asked)).toEqual({ status: 403, code })
      expect(await isSignedIn(boss.device)).toBe(true)
    },
  )
})

describe('POST /admin/set-role', () => {
  it('200: one role or several, as stored; the audit log has the earlier ones', async () => {
    const app = newApp()
    const { device, id: adminId } = await administrator(app)
    const { id } = await plain(app, alice)
    const answer = await device.post('/admin/set-role', { userId: id, role: 'admin' })
    expect(answer.body).toMatchObject({ user: { id, role: 'admin', banned: false, banReason: null, banExpires: null } })
    expect(
      (await device.post('/admin/set-role', { userId: id, role: ['user', ' admin', 'user'] })).body.user.role,
    ).toBe('user,admin')
    expect((await device.post('/admin/set-role', { userId: id, role: ' user , user' })).body.user.role).toBe('user')
    const lines = await auditRows()
    expect(lines).toMatchObject([
      { before: '{"role":"user"}', after: '{"role":"admin"}' },
      { before: '{"role":"admin"}', after: '{"role":"user,admin"}' },
      { before: '{"role":"user,admin"}', after: '{"role":"user"}' },
    ])
    expect(lines[0]).toMatchObject({ action: 'set-role', actor_id: adminId, subject_id: id, ip_address: device.ip })
  })

  it('400 for an invalid role, 404 for an unknown user', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    for (const role of ['wizard', '', ',', 'Admin', 'user;admin', [], ['user', 'wizard'], '__proto__', 'constructor']) {
      expect(await post(device, 'set-role', { userId: id, role })).toEqual({ status: 400, code: 'ROLE_NOT_FOUND' })
    }
    for (const body of [
      {},
      { userId: id },
      { userId: id, role: 5 },
      { userId: {}, role: 'user' },
      { userId: id, role: [['admin']] },
    ]) {
      expect(await post(device, 'set-role', body)).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
    expect(await post(device, 'set-role', { userId: 'unknown', role: 'user' })).toEqual({
      status: 404,
      code: 'USER_NOT_FOUND',
    })
    expect((await userRow(id))!.role).toBe('user')
  })

  it('a demotion ends the impersonations of the administrator immediately', async () => {
    const app = newApp()
    const first = await administrator(app)
    const second = await administrator(app, alice)
    const victim = await plain(app, bob)
    await second.device.post('/admin/impersonate-user', { userId: victim.id })
    expect((await post(first.device, 'set-role', { userId: second.id, role: 'user' })).status).toBe(200)
    expect(await isSignedIn(second.device)).toBe(false)
  })
})

describe('the last administrator', () => {
  it('is not demoted, banned or removed by any caller', async () => {
    // Only a caller who may do as much changes the roles of an administrator.
    const app = newApp({ roles: { chief: adminOptions.defaults.roles.admin! } })
    const last = await administrator(app)
    const chief = await withRole(app, alice, 'chief')
    const refused = { status: 400, code: 'THE_LAST_ADMINISTRATOR_MUST_REMAIN' }
    expect(await post(last.device, 'set-role', { userId: last.id, role: 'user' })).toEqual(refused)
    expect(await post(chief.device, 'set-role', { userId: last.id, role: 'user' })).toEqual(refused)
    expect(await post(chief.device, 'ban-user', { userId: last.id })).toEqual(refused)
    expect(await post(chief.device, 'remove-user', { userId: last.id })).toEqual(refused)
    const own = await last.device.post('/delete-user', { password: root.password })
    expect(outcome(own)).toEqual(refused)
    expect(await isSignedIn(last.device)).toBe(true)
    expect(await auditRows()).toEqual([])
    // A banned administrator does not count as a remaining one.
    const other = await administrator(app, bob)
    expect((await post(last.device, 'ban-user', { userId: other.id })).status).toBe(200)
    expect(await post(chief.device, 'remove-user', { userId: last.id })).toEqual(refused)
    expect((await post(last.device, 'unban-user', { userId: other.id })).status).toBe(200)
    expect((await post(chief.device, 'remove-user', { userId: last.id })).status).toBe(200)
  })

  it.each([
    ['set-role', { role: 'user' }],
    ['ban-user', {}],
    ['remove-user', {}],
  ])('remains when two of two do it to each other at once: %s', async (path, more) => {
    const app = newApp()
    const one = await administrator(app)
    const two = await administrator(app, alice)
    const answers = await Promise.all([
      post(one.device, path, { userId: two.id, ...more }),
      post(two.device, path, { userId: one.id, ...more }),
      post(one.device, path, { userId: two.id, ...more }),
      post(two.device, path, { userId: one.id, ...more }),
    ])
    expect(await admins()).toBe(1)
    for (const { status } of answers) expect([200, 400, 401, 403, 404, 409]).toContain(status)
  })

  it('remains when all of them are demoted, banned, removed and deleted in parallel', async () => {
    const app = newApp()
    const people: Known[] = []
    for (let n = 0; n < 4; n++) people.push(await administrator(app, { ...root, email: `root-${n}@example.com` }))
    const ways = [
      (by: Known, on: Known) => post(by.device, 'set-role', { userId: on.id, role: 'user' }),
      (by: Known, on: Known) => post(by.device, 'ban-user', { userId: on.id }),
      (by: Known, on: Known) => post(by.device, 'remove-user', { userId: on.id }),
      (by: Known) => by.device.post('/delete-user', { password: root.password }),
    ]
    const answers = await Promise.all(
      people.flatMap((by, n) => ways.map((act, m) => act(by, people[(n + m + 1) % people.length]!))),
    )
    expect(await admins()).toBe(1)
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => ![200, 400, 401, 403, 404, 409].includes(status))).toEqual([])
  })

  it('remains when many demote and delete themselves in parallel', async () => {
    const app = newApp()
    const people: Known[] = []
    for (let n = 0; n < 6; n++) people.push(await administrator(app, { ...root, email: `root-${n}@example.com` }))
    await Promise.all(
      people.map(({ device, id }, n) =>
        n % 2 ? post(device, 'set-role', { userId: id, role: 'user' }) : device.post('/delete-user'),
      ),
    )
    expect(await admins()).toBe(1)
  })
})

describe('POST /admin/ban-user', () => {
  it('200: with a reason and an end; sessions, pending links and codes end immediately', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: victim } = await plain(app, alice)
    const elsewhere = await signIn(app, alice)
    await app.device().post('/request-password-reset', { email: alice.email })
    const link = await app.linkTo(alice.email)
    const { status, body } = await device.post('/admin/ban-user', { userId: id, banReason: 'spam', banExpiresIn: 3600 })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ id, banned: true, banReason: 'spam' })
    expect(Date.parse(body.user.banExpires) - Date.now()).toBeGreaterThan(3_590_000)
    // This isolate rejects the cached session too.
    expect((await victim.get('/get-session')).body).toBeNull()
    expect(await isSignedIn(elsewhere)).toBe(false)
    const token = new URL(link).pathname.split('/').at(-1)!
    const reset = await app.device().post('/reset-password', { token, newPassword: 'another-password' })
    expect(reset).toMatchObject({ status: 400, body: { code: 'INVALID_TOKEN' } })
    const [line] = await auditRows()
    expect(JSON.parse(line!.after)).toMatchObject({ banned: true, banReason: 'spam' })
    expect(JSON.parse(line!.before)).toEqual({ banned: false, banReason: null, banExpires: null })
  })

  it('200: permanently and without a reason by default, or as configured', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    const { body } = await device.post('/admin/ban-user', { userId: id, banReason: '', banExpiresIn: null })
    expect(body.user).toMatchObject({ banned: true, banReason: 'No reason', banExpires: null })
    const configured = newApp({ defaultBanReason: 'Rules', defaultBanExpiresIn: 60 })
    const again = await (await signIn(configured, root)).post('/admin/ban-user', { userId: id })
    expect(again.body.user).toMatchObject({ banReason: 'Rules', banExpires: expect.any(String) })
  })

  it('400 for the caller and for invalid input, 404 for an unknown user', async () => {
    const app = newApp()
    const { device, id } = await administrator(app)
    expect(await post(device, 'ban-user', { userId: id })).toEqual({ status: 400, code: 'YOU_CANNOT_BAN_YOURSELF' })
    expect(await post(device, 'ban-user', { userId: 'unknown' })).toEqual({ status: 404, code: 'USER_NOT_FOUND' })
    for (const more of [
      { banExpiresIn: 0 },
      { banExpiresIn: -5 },
      { banExpiresIn: 1e300 },
      { banExpiresIn: 'x' },
      { banReason: {} },
      { banReason: 'x'.repeat(501) },
    ]) {
      expect(await post(device, 'ban-user', { userId: id, ...more })).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
  })

  it('wins over a concurrent sign-in: the banned user has no session', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    for (let n = 0; n < 2; n++) {
      const person: Person = { ...alice, email: `alice-${n}@example.com` }
      const { id } = await plain(app, person)
      const devices = Array.from({ length: 3 }, () => app.device())
      await Promise.all([
        ...devices.map((one) => one.post('/sign-in/email', { email: person.email, password: person.password })),
        device.post('/admin/ban-user', { userId: id }),
      ])
      expect(await count('sessions', { userId: id })).toBe(0)
      for (const one of devices) expect(await isSignedIn(one)).toBe(false)
    }
  })

  it('ends the impersonations of the banned user', async () => {
    const app = newApp()
    const first = await administrator(app)
    const second = await administrator(app, alice)
    const victim = await plain(app, bob)
    await second.device.post('/admin/impersonate-user', { userId: victim.id })
    await post(first.device, 'ban-user', { userId: second.id })
    expect(await isSignedIn(second.device)).toBe(false)
    expect((await second.device.post('/admin/stop-impersonating')).status).toBe(401)
  })
})

describe('what a ban ends', () => {
  /** Every pending sign-in: started before the ban and completed after the ban is removed. */
  const underWay: Record<string, (app: TestApp, device: Device) => Promise<() => Promise<Answer>>> = {
    'a mailed link': async (app) => {
      await app.device().post('/sign-in/magic-link', { email: alice.email, callbackURL: '/in' })
      const link = await app.linkTo(alice.email)
      return () => app.device().get(link)
    },
    'a mailed code': async (app) => {
      await app.device().post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
      const otp = (await app.mailbox())[0]!.codes[0]!
      return () => app.device().post('/sign-in/email-otp', { email: alice.email, otp })
    },
    'the question for the second factor': async (app, device) => {
      const { totpURI } = (await device.post('/two-factor/enable', { password: alice.password })).body
      await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI, -1) })
      const asked = await challenge(app)
      return async () => asked.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    },
    'a one-time token': async (app, device) => {
      const { token } = (await device.get('/one-time-token/generate')).body
      return () => app.device().post('/one-time-token/verify', { token })
    },
    'a bearer token': async (app) => {
      const { headers } = await app.device().post('/sign-in/email', alice)
      const authorization = `Bearer ${headers.get('set-auth-token')}`
      return () => app.device().get('/list-sessions', { headers: { authorization } })
    },
  }

  it.each(Object.keys(underWay))('%s, permanently: it leads nowhere when the ban is lifted', async (what) => {
    const app = newApp()
    const boss = await administrator(app)
    const device = await signUp(app, alice)
    await device.get(await app.linkTo(alice.email))
    const userId = await idOf(alice.email)
    await app.clearMailbox()
    const use = await underWay[what]!(app, device)
    expect((await boss.device.post('/admin/ban-user', { userId })).status).toBe(200)
    expect((await boss.device.post('/admin/unban-user', { userId })).status).toBe(200)
    const { status, headers, body, cookies } = await use()
    expect(status === 302 ? headers.get('location') : status, JSON.stringify(body)).toSatisfy((outcome) =>
      typeof outcome === 'string' ? outcome.includes('error=') : outcome >= 400,
    )
    expect(cookies.filter((line) => /session_token=[^;]/.test(line))).toEqual([])
    expect(await count('sessions', { userId })).toBe(0)
  })
})

describe('a banned user who signs in', () => {
  const ban = async (app: TestApp, body: object) => {
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    await device.post('/admin/ban-user', { userId: id, ...body })
    return { device, id }
  }

  it('403 BANNED_USER with the configured message, the reason and the end; only after the right password', async () => {
    const app = newApp()
    await ban(app, { banReason: 'spam', banExpiresIn: 3600 })
    const { email, password } = alice
    const answer = await app.device().post('/sign-in/email', { email, password })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 403,
      body: {
        code: 'BANNED_USER',
        message: 'You have been banned from this application. Please contact support if you believe this is an error.',
        banReason: 'spam',
        banExpires: expect.stringMatching(/^\d{4}-/),
      },
    })
    expect(answer.cookies).toEqual([])
    const wrong = await app.device().post('/sign-in/email', { email, password: 'wrong-password' })
    expect(wrong.body).toEqual({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
    const other = newApp({ bannedUserMessage: 'Write to help@example.com' })
    expect((await other.device().post('/sign-in/email', { email, password })).body.message).toBe(
      'Write to help@example.com',
    )
  })

  it('is refused before the second factor is asked for', async () => {
    const app = newApp()
    const { id } = await ban(app, {})
    await demandSecondFactor({ id })
    const answer = await app.device().post('/sign-in/email', { email: alice.email, password: alice.password })
    expect(answer).toMatchObject({ status: 403, body: { code: 'BANNED_USER' } })
  })

  it('by a mailed link is sent to error=banned', async () => {
    const app = newApp()
    await ban(app, {})
    await app.device().post('/sign-in/magic-link', { email: alice.email, callbackURL: '/dash' })
    const { headers } = await app.device().get(await app.linkTo(alice.email))
    expect(headers.get('location')).toContain('error=banned')
  })

  it('is let in again when the ban is lifted, or when it has ended: then it is cleared', async () => {
    const app = newApp()
    const { device, id } = await ban(app, {})
    expect((await device.post('/admin/unban-user', { userId: id })).body.user).toMatchObject({
      banned: false,
      banReason: null,
      banExpires: null,
    })
    await signIn(app, alice)
    await device.post('/admin/ban-user', { userId: id, banExpiresIn: 3600 })
    await updateUsers({ banExpires: new Date(Date.now() - 1000) }, { id })
    const back = await signIn(app, alice)
    expect((await back.get('/get-session')).body.user).toMatchObject({
      banned: false,
      banReason: null,
      banExpires: null,
    })
    expect(await userRow(id)).toMatchObject({ banned: 0, ban_reason: null, ban_expires: null })
    // Removing a ban that does not exist changes nothing.
    const lines = (await auditRows()).length
    expect((await device.post('/admin/unban-user', { userId: id })).status).toBe(200)
    expect(await auditRows()).toHaveLength(lines)
  })
})

describe('POST /admin/create-user', () => {
  const made = { email: 'New@Example.com', password: 'password1234', name: ' New ' }

  it('200: a user who can sign in, with a role, a picture and additional fields', async () => {
    const app = new TestApp({ ...unlimited, user: { additionalFields: { team: { type: 'string', input: true } } } })
    const { device, id: adminId } = await administrator(app)
    const { status, body } = await device.post('/admin/create-user', {
      ...made,
      role: ['user', 'admin'],
      data: {
        image: 'https://img.example.com/n.png',
        team: 'blue',
        role: 'x',
        banned: true,
        emailVerified: true,
        id: 'x',
      },
    })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      name: 'New',
      email: 'new@example.com',
      emailVerified: false,
      image: 'https://img.example.com/n.png',
      role: 'user,admin',
      banned: false,
      team: 'blue',
    })
    expect(body.user.id).not.toBe('x')
    await signIn(app, { ...made, email: 'new@example.com' })
    const [line] = await auditRows()
    expect(line).toMatchObject({ action: 'create-user', actor_id: adminId, subject_id: body.user.id })
    expect(line!.after).not.toContain('password1234')
  })

  it('400 for a taken address, a short or long password, an unknown role, and nonsense', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    await plain(app, alice)
    expect(await post(device, 'create-user', { ...made, email: 'ALICE@example.com' })).toEqual({
      status: 400,
      code: 'USER_ALREADY_EXISTS',
    })
    expect(await post(device, 'create-user', { ...made, password: 'short' })).toEqual({
      status: 400,
      code: 'PASSWORD_TOO_SHORT',
    })
    expect(await post(device, 'create-user', { ...made, password: 'x'.repeat(129) })).toEqual({
      status: 400,
      code: 'PASSWORD_TOO_LONG',
    })
    expect(await post(device, 'create-user', { ...made, role: 'wizard' })).toEqual({
      status: 400,
      code: 'ROLE_NOT_FOUND',
    })
    for (const body of [
      {},
      { ...made, email: 'x' },
      { ...made, name: ' ' },
      { ...made, data: 5 },
      { ...made, data: { image: 5 } },
    ]) {
      expect(await post(device, 'create-user', body)).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
    expect(await auditRows()).toEqual([])
  })

  it('many in parallel for one address: one user, one line', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(device, 'create-user', made)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await auditRows()).toHaveLength(1)
  })

  it('the default role is that of the configuration, at sign-up too', async () => {
    const app = newApp({ defaultRole: 'member', roles: { member: {} } })
    const { device } = await administrator(app)
    expect((await device.post('/admin/create-user', made)).body.user.role).toBe('member')
    await signUp(app, alice)
    expect((await userRow(await idOf(alice.email)))!.role).toBe('member')
  })
})

describe('POST /admin/update-user', () => {
  it('200: name, picture, fields, username; the log contains the changes', async () => {
    const app = new TestApp({ ...unlimited, user: { additionalFields: { team: { type: 'string' } } } })
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    const { status, body } = await device.post('/admin/update-user', {
      userId: id,
      data: {
        name: 'Alicia',
        image: null,
        team: 'secret team',
        username: 'Alicia1',
        role: 'admin',
        banned: true,
        emailVerified: true,
      },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      name: 'Alicia',
      team: 'secret team',
      role: 'user',
      banned: false,
      emailVerified: false,
    })
    const [line] = await auditRows()
    expect(JSON.parse(line!.before)).toMatchObject({ name: 'Alice' })
    expect(JSON.parse(line!.after)).toMatchObject({ name: 'Alicia', username: 'alicia1', additionalFields: ['team'] })
    expect(line!.after).not.toContain('secret team')
  })

  it('200: a new address is unverified, and mails to the old one become invalid', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    await verifyAddresses({ id })
    await app.device().post('/request-password-reset', { email: alice.email })
    const token = new URL(await app.linkTo(alice.email)).pathname.split('/').at(-1)!
    const { body } = await device.post('/admin/update-user', { userId: id, data: { email: 'A2@example.com' } })
    expect(body).toMatchObject({ email: 'a2@example.com', emailVerified: false })
    const reset = await app.device().post('/reset-password', { token, newPassword: 'another-password' })
    expect(reset.body.code).toBe('INVALID_TOKEN')
  })

  it('400 for an empty body, a taken address or username, invalid input; 404 for an unknown user', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    await signUp(app, bob, { username: 'bob1' })
    const change = (data: unknown, userId = id) => post(device, 'update-user', { userId, data })
    expect(await change({})).toEqual({ status: 400, code: 'NO_DATA_TO_UPDATE' })
    expect(await change({ role: 'admin' })).toEqual({ status: 400, code: 'NO_DATA_TO_UPDATE' })
    expect(await change({ email: bob.email })).toEqual({ status: 400, code: 'USER_ALREADY_EXISTS' })
    expect((await change({ username: 'bob1' })).status).toBe(422)
    for (const data of [undefined, { name: '' }, { email: 'x' }, { image: 5 }]) {
      expect(await change(data)).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
    expect(await change({ name: 'X' }, 'unknown')).toEqual({ status: 404, code: 'USER_NOT_FOUND' })
  })
})

describe('sessions of a user', () => {
  it('are listed and revoked, one by one and all', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: first } = await plain(app, alice)
    const second = await signIn(app, alice)
    const { body } = await device.post('/admin/list-user-sessions', { userId: id })
    expect(body.sessions).toHaveLength(2)
    expect(body.sessions[0]).toMatchObject({ userId: id, userAgent: 'harness/1.0', device: null, impersonatedBy: null })
    expect(await post(device, 'revoke-user-session', { sessionToken: body.sessions[0].token })).toEqual({
      status: 200,
      body: { success: true },
    })
    expect([await isSignedIn(first), await isSignedIn(second)].sort()).toEqual([false, true])
    expect(await post(device, 'revoke-user-sessions', { userId: id })).toEqual({ status: 200, body: { success: true } })
    expect({ first: await isSignedIn(first), second: await isSignedIn(second) }).toEqual({
      first: false,
      second: false,
    })
    expect((await auditRows()).map(({ action }) => action)).toEqual(['revoke-user-session', 'revoke-user-sessions'])
    expect(JSON.stringify(await auditRows())).not.toContain(body.sessions[0].token)
  })

  it('200 for a missing record', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    expect(await post(device, 'list-user-sessions', { userId: 'unknown' })).toEqual({
      status: 200,
      body: { sessions: [] },
    })
    expect(await post(device, 'revoke-user-session', { sessionToken: 'none' })).toEqual({
      status: 200,
      body: { success: true },
    })
    expect(await post(device, 'revoke-user-sessions', { userId: 'unknown' })).toEqual({
      status: 200,
      body: { success: true },
    })
    expect(await auditRows()).toEqual([])
  })
})

describe('POST /admin/set-user-password', () => {
  it('200: the new one works, the old one and every session do not', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: victim } = await plain(app, alice)
    expect(await post(device, 'set-user-password', { userId: id, newPassword: 'another-password' })).toEqual({
      status: 200,
      body: { status: true },
    })
    expect(await isSignedIn(victim)).toBe(false)
    await signIn(app, { ...alice, password: 'another-password' })
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
    expect(JSON.stringify(await auditRows())).not.toMatch(/another-password|[0-9a-f]{64}/)
  })

  it('200 for a user without a password; 400 for its length, 404 for an unknown user', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    await deleteAccounts({ userId: id })
    expect((await post(device, 'set-user-password', { userId: id, newPassword: 'another-password' })).status).toBe(200)
    await signIn(app, { ...alice, password: 'another-password' })
    expect(await post(device, 'set-user-password', { userId: id, newPassword: 'x' })).toEqual({
      status: 400,
      code: 'PASSWORD_TOO_SHORT',
    })
    expect(await post(device, 'set-user-password', { userId: id, newPassword: 'x'.repeat(200) })).toEqual({
      status: 400,
      code: 'PASSWORD_TOO_LONG',
    })
    expect(await post(device, 'set-user-password', { userId: 'unknown', newPassword: 'another-password' })).toEqual({
      status: 404,
      code: 'USER_NOT_FOUND',
    })
  })
})

describe('POST /admin/remove-user', () => {
  it('200: with all their data, and again', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: victim } = await plain(app, alice)
    await victim.post('/organization/create', { name: 'Own', slug: 'own' })
    expect(await post(device, 'remove-user', { userId: id })).toEqual({ status: 200, body: { success: true } })
    expect(await userRow(id)).toBeNull()
    expect((await victim.get('/get-session')).body).toBeNull()
    expect(await post(device, 'remove-user', { userId: id })).toEqual({ status: 200, body: { success: true } })
    const lines = await auditRows()
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!.before)).toEqual({ name: 'Alice', email: alice.email, role: 'user' })
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
  })

  it('400 for oneself', async () => {
    const app = newApp()
    const { device, id } = await administrator(app)
    await administrator(app, alice)
    expect(await post(device, 'remove-user', { userId: id })).toEqual({
      status: 400,
      code: 'YOU_CANNOT_REMOVE_YOURSELF',
    })
  })
})

describe('POST /admin/has-permission', () => {
  it('200: for the caller, for a role, and for another user if the caller may list users', async () => {
    const app = newApp({ roles: { moderator: { user: ['ban', 'list'] } } })
    const boss = await administrator(app)
    const person = await plain(app, alice)
    const ask = async (device: Device, body: object) => (await post(device, 'has-permission', body)).body
    const yes = { error: null, success: true }
    const no = { error: null, success: false }
    expect(await ask(boss.device, { permissions: { user: ['ban'] } })).toEqual(yes)
    expect(await ask(person.device, { permissions: { user: ['ban'] } })).toEqual(no)
    expect(await ask(boss.device, { permission: { session: ['revoke'], user: ['ban', 'create'] } })).toEqual(yes)
    expect(await ask(boss.device, { permissions: { user: ['fly'] } })).toEqual(no)
    expect(await ask(boss.device, { permissions: {} })).toEqual(no)
    expect(await ask(person.device, { role: 'moderator', permissions: { user: ['ban'] } })).toEqual(yes)
    expect(await ask(boss.device, { role: 'moderator', permissions: { user: ['delete'] } })).toEqual(no)
    expect(await ask(boss.device, { role: 'wizard', permissions: { user: ['ban'] } })).toEqual(no)
    expect(await ask(boss.device, { userId: person.id, permissions: { user: ['ban'] } })).toEqual(no)
    expect(await ask(person.device, { userId: person.id, permissions: { user: ['ban'] } })).toEqual(no)
    expect(await post(person.device, 'has-permission', { userId: boss.id, permissions: { user: ['ban'] } })).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS',
    })
    expect(await post(boss.device, 'has-permission', { userId: 'x', permissions: { user: ['ban'] } })).toEqual({
      status: 404,
      code: 'USER_NOT_FOUND',
    })
    expect(await post(boss.device, 'has-permission', {})).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    expect((await post(app.device(), 'has-permission', { role: 'admin', permissions: { user: ['ban'] } })).status).toBe(
      401,
    )
  })
})

describe('the first administrator', () => {
  const emails = ['Alice@example.com']

  it('is the user who verifies an address of admin.emails, from the verification on', async () => {
    const app = newApp({ emails })
    const device = await signUp(app, alice)
    const id = await idOf(alice.email)
    expect((await userRow(id))!.role).toBe('user')
    await signIn(app, alice)
    expect((await userRow(id))!.role).toBe('user')
    expect((await device.get('/admin/list-users')).status).toBe(403)
    await device.get(await app.linkTo(alice.email))
    expect((await userRow(id))!.role).toBe('user,admin')
    expect((await device.get('/admin/list-users')).status).toBe(200)
    // The session response already contains the new role.
    expect((await device.get('/get-session')).body.user.role).toBe('user,admin')
    const [line] = await auditRows()
    expect(line).toMatchObject({ actor_id: null, subject_id: id, action: 'set-role' })
  })

  it('is never an attacker who signed up first: a proof in another browser deletes their password', async () => {
    const app = newApp({ emails })
    const stranger = await signUp(app, alice)
    const owner = app.device()
    await owner.get(await app.linkTo(alice.email))
    // The confirmation starts no session in a browser that did not sign up.
    expect((await owner.get('/admin/list-users')).status).toBe(401)
    expect((await rowsOf('users'))[0]!.role).toBe('user,admin')
    expect(await isSignedIn(stranger)).toBe(false)
    const { status, body } = await app.device().post('/sign-in/email', { email: alice.email, password: alice.password })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' })
    // Users with other addresses keep their chosen password.
    await signUp(app, bob)
    await app.device().get(await app.linkTo(bob.email))
    await signIn(app, bob)
  })

  it('is made at the next sign-in when the setting comes later', async () => {
    const before = newApp()
    const { id } = await plain(before, alice)
    await verifyAddresses()
    await signIn(newApp({ emails }), alice)
    expect((await userRow(id))!.role).toBe('user,admin')
    await signIn(newApp({ emails }), alice)
    expect(await auditRows()).toHaveLength(1)
  })

  it('is not a user who only signs up, changes an address, or is banned', async () => {
    const app = newApp({ emails })
    const person = await plain(app, bob)
    await person.device.post('/change-email', { newEmail: alice.email })
    expect((await userRow(person.id))!.role).toBe('user')
    await updateUsers({ emailVerified: true, banned: true })
    await app.device().post('/sign-in/email', { email: alice.email, password: bob.password })
    expect((await userRow(person.id))!.role).toBe('user')
  })
})

describe('GET /admin/get-user', () => {
  it('200: a user, their accounts and the data of the features, in one round trip', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: person } = await plain(app, alice)
    await person.post('/organization/create', { name: 'Own', slug: 'own' })
    await addPasskey(person, undefined, 'Laptop')
    const lastUsedAt = new Date(1_700_000_000_000)
    await insertRows('sign_in_methods', { userId: id, method: 'email', lastUsedAt })
    const { key } = (await person.post('/api-key/create', { name: 'CI' })).body
    const answer = await device.get('/admin/get-user', { query: { id } })
    expect(answer.body).toMatchObject({
      id,
      email: alice.email,
      role: 'user',
      accounts: [{ providerId: 'credential', accountId: id }],
      about: {
        organizations: [{ name: 'Own', slug: 'own', role: 'owner', joinedAt: expect.any(String) }],
        passkeys: [{ name: 'Laptop', backedUp: false, createdAt: expect.any(String), lastUsedAt: null }],
        signInMethods: [{ method: 'email', lastUsedAt: lastUsedAt.toISOString() }],
        apiKeys: [{ name: 'CI', start: key.slice(0, 6), enabled: true, remaining: null, lastRequest: null }],
      },
    })
    expect(JSON.stringify(answer.body)).not.toMatch(/password|publicKey|credentialID/)
    expect(JSON.stringify(answer.body)).not.toContain(key)
    expect(answer.io.d1).toEqual([1, 1])
  })

  it('404 for an unknown user, 400 without an id', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    expect((await device.get('/admin/get-user', { query: { id: await idOf(root.email) } })).status).toBe(200)
    expect((await device.get('/admin/get-user', { query: { id: 'unknown' } })).body.code).toBe('USER_NOT_FOUND')
    expect((await device.get('/admin/get-user')).status).toBe(400)
  })
})
