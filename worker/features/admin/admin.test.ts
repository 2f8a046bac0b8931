import { describe, expect, it } from 'vitest'
import { administrator, auditRows, idOf, type Known, plain, root, withRole } from '../../testing/admins.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { type Answer, type Device, env, TestApp } from '../../testing/harness.ts'
import { addPasskey } from '../../testing/passkeys.ts'
import { alice, bob, type Person, signIn, signUp } from '../../testing/people.ts'
import { challenge } from '../../testing/two-factor.ts'

const unlimited = { rateLimit: { enabled: false } }
const newApp = (admin: object = {}) => new TestApp({ ...unlimited, admin })

const post = async (device: Device, path: string, body: object) => {
  const { status, body: answer } = await device.post(`/admin/${path}`, body)
  return [status, answer.code ?? answer]
}

const userRow = (id: string) =>
  env.DB.prepare('select * from users where id = ?').bind(id).first<Record<string, unknown>>()

const isSignedIn = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body !== null

const admins = async () =>
  (await env.DB.prepare("select count(*) as n from users where instr(role, 'admin') and not banned").first<{
    n: number
  }>())!.n

/** Every endpoint that acts on somebody, with the message of its refusal. */
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
  it('403 with the message of the action for a plain person, 401 without a session', async () => {
    const app = newApp()
    const person = await plain(app, alice)
    const other = await plain(app, bob)
    for (const [path, body, code] of guarded) {
      const answer = await person.device.post(`/admin/${path}`, body(other.id))
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, code])
      expect(answer.body.message.toUpperCase().replaceAll(' ', '_')).toBe(code)
      expect((await post(app.device(), path, body(other.id)))[0]).toBe(401)
    }
    for (const [path, code] of [
      ['list-users', 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'],
      ['get-user?id=x', 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'],
      ['audit', 'YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG'],
    ]) {
      const answer = await person.device.get(`/admin/${path}`)
      expect([answer.status, answer.body.code]).toEqual([403, code])
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
      // A stored role is canonical; white space around a name is not part of it.
      expect(status).toBe(role.trim() === 'admin' ? 200 : 403)
    },
  )

  it('a session of an impersonation never administers, nor does that of an API key', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    await env.DB.prepare("update sessions set impersonated_by = 'somebody'").run()
    expect((await device.get('/admin/list-users')).body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_LIST_USERS')
  })

  it('a listed id may do everything, whatever its role', async () => {
    const other = newApp()
    const { id, device } = await plain(other, alice)
    const app = newApp({ adminUserIds: [id] })
    const listed = app.device()
    for (const [name, value] of device.jar) listed.jar.set(name, value)
    expect((await listed.get('/admin/list-users')).status).toBe(200)
    expect((await device.get('/admin/list-users')).status).toBe(403)
    const { id: bobId } = await plain(app, bob)
    expect((await post(listed, 'set-role', { userId: bobId, role: 'admin' }))[0]).toBe(200)
    // Only who holds everything may act on them; and they count as an administrator.
    const half = newApp({ adminUserIds: [id], roles: { half: { user: ['ban'] }, owner: { shop: ['close'] } } })
    const admin = await signIn(half, bob)
    expect(await post(admin, 'ban-user', { userId: id })).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS'])
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

  it('allow what they say, and several roles add up', async () => {
    const app = newApp({ roles })
    const { device } = await withRole(app, alice, 'moderator,clerk')
    const other = await plain(app, bob)
    expect((await device.get('/admin/list-users')).status).toBe(200)
    expect((await post(device, 'ban-user', { userId: other.id }))[0]).toBe(200)
    expect((await post(device, 'remove-user', { userId: other.id }))[0]).toBe(403)
    expect((await post(device, 'set-user-password', { userId: other.id, newPassword: 'another-password' }))[0]).toBe(
      403,
    )
  })

  it('nobody grants, takes or is created with what the caller does not hold', async () => {
    const app = newApp({ roles })
    const { device, id } = await withRole(app, alice, 'clerk')
    const other = await plain(app, bob)
    const boss = await administrator(app)
    const refused = [403, 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE']
    expect(await post(device, 'set-role', { userId: other.id, role: 'admin' })).toEqual(refused)
    expect(await post(device, 'set-role', { userId: id, role: 'clerk,admin' })).toEqual(refused)
    expect(await post(device, 'set-role', { userId: id, role: ['clerk', 'moderator'] })).toEqual(refused)
    expect(await post(device, 'set-role', { userId: boss.id, role: 'user' })).toEqual(refused)
    expect((await post(device, 'set-role', { userId: other.id, role: 'clerk' }))[0]).toBe(200)
    const made = { name: 'New', email: 'new@example.com', password: 'password1234' }
    expect(await post(device, 'create-user', { ...made, role: 'admin' })).toEqual([
      403,
      'YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS',
    ])
    expect((await post(device, 'create-user', { ...made, role: 'clerk' }))[0]).toBe(200)
    expect(await admins()).toBe(1)
  })

  it.each(guarded.filter(([path]) => !['create-user', 'list-user-sessions', 'unban-user'].includes(path)))(
    '%s: nobody acts on somebody who may do more',
    async (path, body, code) => {
      const all = { user: ['set-role', 'update', 'ban', 'impersonate', 'delete', 'set-password'], session: ['revoke'] }
      const app = newApp({ roles: { helper: all } })
      const helper = await withRole(app, alice, 'helper')
      const boss = await administrator(app)
      const token = decodeURIComponent(boss.device.cookie('session_token')!).split('.')[0]!
      const asked = path === 'revoke-user-session' ? { sessionToken: token } : body(boss.id)
      expect(await post(helper.device, path, asked)).toEqual([403, code])
      expect(await isSignedIn(boss.device)).toBe(true)
    },
  )
})

describe('POST /admin/set-role', () => {
  it('200: one role or several, as stored; the audit log says what they were', async () => {
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
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      ['{"role":"user"}', '{"role":"admin"}'],
      ['{"role":"admin"}', '{"role":"user,admin"}'],
      ['{"role":"user,admin"}', '{"role":"user"}'],
    ])
    expect(lines[0]).toMatchObject({ action: 'set-role', actor_id: adminId, subject_id: id, ip_address: device.ip })
  })

  it('400 for what is no role, 404 for nobody', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    for (const role of ['wizard', '', ',', 'Admin', 'user;admin', [], ['user', 'wizard'], '__proto__', 'constructor']) {
      expect(await post(device, 'set-role', { userId: id, role })).toEqual([400, 'ROLE_NOT_FOUND'])
    }
    for (const body of [
      {},
      { userId: id },
      { userId: id, role: 5 },
      { userId: {}, role: 'user' },
      { userId: id, role: [['admin']] },
    ]) {
      expect(await post(device, 'set-role', body)).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect(await post(device, 'set-role', { userId: 'nobody', role: 'user' })).toEqual([404, 'USER_NOT_FOUND'])
    expect((await userRow(id))!.role).toBe('user')
  })

  it('a demoted administrator acts as nobody any more, at once', async () => {
    const app = newApp()
    const first = await administrator(app)
    const second = await administrator(app, alice)
    const victim = await plain(app, bob)
    await second.device.post('/admin/impersonate-user', { userId: victim.id })
    expect((await post(first.device, 'set-role', { userId: second.id, role: 'user' }))[0]).toBe(200)
    expect(await isSignedIn(second.device)).toBe(false)
  })
})

describe('the last administrator', () => {
  it('is not demoted, banned or removed, by anybody', async () => {
    const app = newApp({
      roles: {
        chief: {
          user: ['set-role', 'ban', 'delete', 'create', 'list', 'impersonate', 'set-password', 'update'],
          session: ['list', 'revoke', 'delete'],
          audit: ['list'],
        },
      },
    })
    const last = await administrator(app)
    const chief = await withRole(app, alice, 'chief')
    const refused = [400, 'THE_LAST_ADMINISTRATOR_MUST_REMAIN']
    expect(await post(last.device, 'set-role', { userId: last.id, role: 'user' })).toEqual(refused)
    expect(await post(chief.device, 'set-role', { userId: last.id, role: 'user' })).toEqual(refused)
    expect(await post(chief.device, 'ban-user', { userId: last.id })).toEqual(refused)
    expect(await post(chief.device, 'remove-user', { userId: last.id })).toEqual(refused)
    const own = await last.device.post('/delete-user', { password: root.password })
    expect([own.status, own.body.code]).toEqual(refused)
    expect(await isSignedIn(last.device)).toBe(true)
    expect(await auditRows()).toEqual([])
    // A banned administrator is none who remains.
    const other = await administrator(app, bob)
    expect((await post(last.device, 'ban-user', { userId: other.id }))[0]).toBe(200)
    expect(await post(chief.device, 'remove-user', { userId: last.id })).toEqual(refused)
    expect((await post(last.device, 'unban-user', { userId: other.id }))[0]).toBe(200)
    expect((await post(chief.device, 'remove-user', { userId: last.id }))[0]).toBe(200)
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
    for (const [status] of answers) expect([200, 400, 401, 403, 404, 409]).toContain(status)
  })

  it('remains when all of them are demoted, banned and removed, and go, in every way at once', async () => {
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
    const statuses = answers.map((one) => (Array.isArray(one) ? one[0] : one.status))
    expect(statuses.filter((status) => ![200, 400, 401, 403, 404, 409].includes(status))).toEqual([])
  })

  it('remains when many demote and delete themselves at once', async () => {
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
  it('200: with a reason and an end; sessions, pending links and codes end at once', async () => {
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
    // In this isolate the cached session is no longer believed either.
    expect((await victim.get('/get-session')).body).toBeNull()
    expect(await isSignedIn(elsewhere)).toBe(false)
    const token = new URL(link).pathname.split('/').at(-1)!
    const reset = await app.device().post('/reset-password', { token, newPassword: 'another-password' })
    expect([reset.status, reset.body.code]).toEqual([400, 'INVALID_TOKEN'])
    const [line] = await auditRows()
    expect(JSON.parse(line!.after)).toMatchObject({ banned: true, banReason: 'spam' })
    expect(JSON.parse(line!.before)).toEqual({ banned: false, banReason: null, banExpires: null })
  })

  it('200: for good and for no reason, where nothing is said; or as configured', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    const { body } = await device.post('/admin/ban-user', { userId: id, banReason: '', banExpiresIn: null })
    expect(body.user).toMatchObject({ banned: true, banReason: 'No reason', banExpires: null })
    const configured = newApp({ defaultBanReason: 'Rules', defaultBanExpiresIn: 60 })
    const again = await (await signIn(configured, root)).post('/admin/ban-user', { userId: id })
    expect(again.body.user).toMatchObject({ banReason: 'Rules', banExpires: expect.any(String) })
  })

  it('400 for oneself and for nonsense, 404 for nobody', async () => {
    const app = newApp()
    const { device, id } = await administrator(app)
    expect(await post(device, 'ban-user', { userId: id })).toEqual([400, 'YOU_CANNOT_BAN_YOURSELF'])
    expect(await post(device, 'ban-user', { userId: 'nobody' })).toEqual([404, 'USER_NOT_FOUND'])
    for (const more of [
      { banExpiresIn: 0 },
      { banExpiresIn: -5 },
      { banExpiresIn: 1e300 },
      { banExpiresIn: 'x' },
      { banReason: {} },
      { banReason: 'x'.repeat(501) },
    ]) {
      expect(await post(device, 'ban-user', { userId: id, ...more })).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('wins over a sign-in at the same moment: nobody is left with a session', async () => {
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
      const left = await env.DB.prepare('select count(*) as n from sessions where user_id = ?').bind(id).first()
      expect(left).toEqual({ n: 0 })
      for (const one of devices) expect(await isSignedIn(one)).toBe(false)
    }
  })

  it('ends what the banned person does as an administrator', async () => {
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
  /** Every way in that is under way: prepared before the ban, and tried when it has been lifted again. */
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

  it.each(Object.keys(underWay))('%s, for good: it leads nowhere when the ban is lifted', async (what) => {
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
    const left = await env.DB.prepare('select count(*) as n from sessions where user_id = ?').bind(userId).first()
    expect(left).toEqual({ n: 0 })
  })
})

describe('a banned person who signs in', () => {
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
    expect([answer.status, answer.body]).toEqual([
      403,
      {
        code: 'BANNED_USER',
        message: 'You have been banned from this application. Please contact support if you believe this is an error.',
        banReason: 'spam',
        banExpires: expect.stringMatching(/^\d{4}-/),
      },
    ])
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
    await env.DB.prepare('update users set two_factor_enabled = 1 where id = ?').bind(id).run()
    const answer = await app.device().post('/sign-in/email', { email: alice.email, password: alice.password })
    expect([answer.status, answer.body.code]).toEqual([403, 'BANNED_USER'])
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
    await env.DB.prepare('update users set ban_expires = ? where id = ?')
      .bind(Date.now() - 1000, id)
      .run()
    const back = await signIn(app, alice)
    expect((await back.get('/get-session')).body.user).toMatchObject({
      banned: false,
      banReason: null,
      banExpires: null,
    })
    expect(await userRow(id)).toMatchObject({ banned: 0, ban_reason: null, ban_expires: null })
    // Lifting what is not there changes nothing.
    const lines = (await auditRows()).length
    expect((await device.post('/admin/unban-user', { userId: id })).status).toBe(200)
    expect(await auditRows()).toHaveLength(lines)
  })
})

describe('POST /admin/create-user', () => {
  const made = { email: 'New@Example.com', password: 'password1234', name: ' New ' }

  it('200: somebody who can sign in, with a role, a picture and fields of the configuration', async () => {
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
    expect(await post(device, 'create-user', { ...made, email: 'ALICE@example.com' })).toEqual([
      400,
      'USER_ALREADY_EXISTS',
    ])
    expect(await post(device, 'create-user', { ...made, password: 'short' })).toEqual([400, 'PASSWORD_TOO_SHORT'])
    expect(await post(device, 'create-user', { ...made, password: 'x'.repeat(129) })).toEqual([
      400,
      'PASSWORD_TOO_LONG',
    ])
    expect(await post(device, 'create-user', { ...made, role: 'wizard' })).toEqual([400, 'ROLE_NOT_FOUND'])
    for (const body of [
      {},
      { ...made, email: 'x' },
      { ...made, name: ' ' },
      { ...made, data: 5 },
      { ...made, data: { image: 5 } },
    ]) {
      expect(await post(device, 'create-user', body)).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect(await auditRows()).toEqual([])
  })

  it('many at once for one address: one person, one line', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(device, 'create-user', made)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
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
  it('200: name, picture, fields, username; the log says what changed', async () => {
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

  it('200: a new address is unverified, and ends what was mailed to the old one', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    await env.DB.prepare('update users set email_verified = 1 where id = ?').bind(id).run()
    await app.device().post('/request-password-reset', { email: alice.email })
    const token = new URL(await app.linkTo(alice.email)).pathname.split('/').at(-1)!
    const { body } = await device.post('/admin/update-user', { userId: id, data: { email: 'A2@example.com' } })
    expect(body).toMatchObject({ email: 'a2@example.com', emailVerified: false })
    const reset = await app.device().post('/reset-password', { token, newPassword: 'another-password' })
    expect(reset.body.code).toBe('INVALID_TOKEN')
  })

  it('400 for nothing, a taken address or username, nonsense; 404 for nobody', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    await signUp(app, bob, { username: 'bob1' })
    const change = (data: unknown, userId = id) => post(device, 'update-user', { userId, data })
    expect(await change({})).toEqual([400, 'NO_DATA_TO_UPDATE'])
    expect(await change({ role: 'admin' })).toEqual([400, 'NO_DATA_TO_UPDATE'])
    expect(await change({ email: bob.email })).toEqual([400, 'USER_ALREADY_EXISTS'])
    expect((await change({ username: 'bob1' }))[0]).toBe(422)
    for (const data of [undefined, { name: '' }, { email: 'x' }, { image: 5 }]) {
      expect(await change(data)).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect(await change({ name: 'X' }, 'nobody')).toEqual([404, 'USER_NOT_FOUND'])
  })
})

describe('sessions of somebody', () => {
  it('are listed and revoked, one by one and all', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: first } = await plain(app, alice)
    const second = await signIn(app, alice)
    const { body } = await device.post('/admin/list-user-sessions', { userId: id })
    expect(body.sessions).toHaveLength(2)
    expect(body.sessions[0]).toMatchObject({ userId: id, userAgent: 'harness/1.0', impersonatedBy: null })
    expect(await post(device, 'revoke-user-session', { sessionToken: body.sessions[0].token })).toEqual([
      200,
      { success: true },
    ])
    expect([await isSignedIn(first), await isSignedIn(second)].sort()).toEqual([false, true])
    expect(await post(device, 'revoke-user-sessions', { userId: id })).toEqual([200, { success: true }])
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, false])
    expect((await auditRows()).map(({ action }) => action)).toEqual(['revoke-user-session', 'revoke-user-sessions'])
    expect(JSON.stringify(await auditRows())).not.toContain(body.sessions[0].token)
  })

  it('200 for what is not there', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    expect(await post(device, 'list-user-sessions', { userId: 'nobody' })).toEqual([200, { sessions: [] }])
    expect(await post(device, 'revoke-user-session', { sessionToken: 'none' })).toEqual([200, { success: true }])
    expect(await post(device, 'revoke-user-sessions', { userId: 'nobody' })).toEqual([200, { success: true }])
    expect(await auditRows()).toEqual([])
  })
})

describe('POST /admin/set-user-password', () => {
  it('200: the new one works, the old one and every session do not', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: victim } = await plain(app, alice)
    expect(await post(device, 'set-user-password', { userId: id, newPassword: 'another-password' })).toEqual([
      200,
      { status: true },
    ])
    expect(await isSignedIn(victim)).toBe(false)
    await signIn(app, { ...alice, password: 'another-password' })
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
    expect(JSON.stringify(await auditRows())).not.toMatch(/another-password|[0-9a-f]{64}/)
  })

  it('200 for somebody who had none; 400 for its length, 404 for nobody', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id } = await plain(app, alice)
    await env.DB.prepare('delete from accounts where user_id = ?').bind(id).run()
    expect((await post(device, 'set-user-password', { userId: id, newPassword: 'another-password' }))[0]).toBe(200)
    await signIn(app, { ...alice, password: 'another-password' })
    expect(await post(device, 'set-user-password', { userId: id, newPassword: 'x' })).toEqual([
      400,
      'PASSWORD_TOO_SHORT',
    ])
    expect(await post(device, 'set-user-password', { userId: id, newPassword: 'x'.repeat(200) })).toEqual([
      400,
      'PASSWORD_TOO_LONG',
    ])
    expect(await post(device, 'set-user-password', { userId: 'nobody', newPassword: 'another-password' })).toEqual([
      404,
      'USER_NOT_FOUND',
    ])
  })
})

describe('POST /admin/remove-user', () => {
  it('200: with all that is theirs, and again', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: victim } = await plain(app, alice)
    await victim.post('/organization/create', { name: 'Own', slug: 'own' })
    expect(await post(device, 'remove-user', { userId: id })).toEqual([200, { success: true }])
    expect(await userRow(id)).toBeNull()
    expect((await victim.get('/get-session')).body).toBeNull()
    expect(await post(device, 'remove-user', { userId: id })).toEqual([200, { success: true }])
    const lines = await auditRows()
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!.before)).toEqual({ name: 'Alice', email: alice.email, role: 'user' })
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
  })

  it('400 for oneself', async () => {
    const app = newApp()
    const { device, id } = await administrator(app)
    await administrator(app, alice)
    expect(await post(device, 'remove-user', { userId: id })).toEqual([400, 'YOU_CANNOT_REMOVE_YOURSELF'])
  })
})

describe('POST /admin/has-permission', () => {
  it('200: of oneself, of a role, and of somebody else for those who list users', async () => {
    const app = newApp({ roles: { moderator: { user: ['ban', 'list'] } } })
    const boss = await administrator(app)
    const person = await plain(app, alice)
    const ask = async (device: Device, body: object) => (await post(device, 'has-permission', body))[1]
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
    expect(await post(person.device, 'has-permission', { userId: boss.id, permissions: { user: ['ban'] } })).toEqual([
      403,
      'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS',
    ])
    expect(await post(boss.device, 'has-permission', { userId: 'x', permissions: { user: ['ban'] } })).toEqual([
      404,
      'USER_NOT_FOUND',
    ])
    expect(await post(boss.device, 'has-permission', {})).toEqual([400, 'VALIDATION_ERROR'])
    expect((await post(app.device(), 'has-permission', { role: 'admin', permissions: { user: ['ban'] } }))[0]).toBe(401)
  })
})

describe('the first administrator', () => {
  const emails = ['Alice@example.com']

  it('is whoever verifies an address of admin.emails; nobody before', async () => {
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
    // The screens learn of it with the same answer.
    expect((await device.get('/get-session')).body.user.role).toBe('user,admin')
    const [line] = await auditRows()
    expect(line).toMatchObject({ actor_id: null, subject_id: id, action: 'set-role' })
  })

  it('is never a stranger who was faster: a proof from another browser takes the password that was given before', async () => {
    const app = newApp({ emails })
    const stranger = await signUp(app, alice)
    const owner = app.device()
    await owner.get(await app.linkTo(alice.email))
    expect((await owner.get('/admin/list-users')).status).toBe(200)
    expect(await isSignedIn(stranger)).toBe(false)
    const { status, body } = await app.device().post('/sign-in/email', { email: alice.email, password: alice.password })
    expect([status, body.code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
    // Anybody else keeps the password that they have just chosen.
    await signUp(app, bob)
    await app.device().get(await app.linkTo(bob.email))
    await signIn(app, bob)
  })

  it('is made at the next sign-in when the setting comes later', async () => {
    const before = newApp()
    const { id } = await plain(before, alice)
    await env.DB.prepare('update users set email_verified = 1').run()
    await signIn(newApp({ emails }), alice)
    expect((await userRow(id))!.role).toBe('user,admin')
    await signIn(newApp({ emails }), alice)
    expect(await auditRows()).toHaveLength(1)
  })

  it('is nobody who only signs up, changes an address, or is banned', async () => {
    const app = newApp({ emails })
    const person = await plain(app, bob)
    await person.device.post('/change-email', { newEmail: alice.email })
    expect((await userRow(person.id))!.role).toBe('user')
    await env.DB.prepare('update users set email_verified = 1, banned = 1').run()
    await app.device().post('/sign-in/email', { email: alice.email, password: bob.password })
    expect((await userRow(person.id))!.role).toBe('user')
  })
})

describe('GET /admin/get-user', () => {
  it('200: a person, their accounts and what the features keep, in one round trip', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    const { id, device: person } = await plain(app, alice)
    await person.post('/organization/create', { name: 'Own', slug: 'own' })
    await addPasskey(person, undefined, 'Laptop')
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
        apiKeys: [{ name: 'CI', start: key.slice(0, 6), enabled: true, remaining: null, lastRequest: null }],
      },
    })
    expect(JSON.stringify(answer.body)).not.toMatch(/password|publicKey|credentialID/)
    expect(JSON.stringify(answer.body)).not.toContain(key)
    expect(answer.io.d1).toEqual([1, 1])
  })

  it('404 for nobody, 400 without an id', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    expect((await device.get('/admin/get-user', { query: { id: await idOf(root.email) } })).status).toBe(200)
    expect((await device.get('/admin/get-user', { query: { id: 'nobody' } })).body.code).toBe('USER_NOT_FOUND')
    expect((await device.get('/admin/get-user')).status).toBe(400)
  })
})
