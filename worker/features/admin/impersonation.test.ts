import { describe, expect, it, vi } from 'vitest'
import { administrator, auditRows, plain, root, withRole } from '../../testing/admins.ts'
import { type Device, outcome, TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn } from '../../testing/people.ts'
import { count } from '../../testing/rows.ts'
import {
  deleteUsers,
  demandSecondFactor,
  endSessions,
  expireSessions,
  makeSessionsStale,
} from '../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const newApp = (admin: object = {}) => new TestApp({ ...unlimited, admin })

const whoIs = async (device: Device): Promise<string | undefined> =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body?.user.email

async function scene(admin: object = {}) {
  const app = newApp(admin)
  const boss = await administrator(app)
  const person = await plain(app, alice)
  const impersonate = () => boss.device.post('/admin/impersonate-user', { userId: person.id })
  const stop = () => boss.device.post('/admin/stop-impersonating')
  return { app, boss, person, impersonate, stop }
}

describe('POST /admin/impersonate-user', () => {
  it('400: an empty reason, and none where the configuration demands one', async () => {
    const { boss, person } = await scene()
    const body = { userId: person.id, reason: ' ' }
    expect((await boss.device.post('/admin/impersonate-user', body)).status).toBe(400)
    const strict = newApp({ requireImpersonationReason: true })
    const { device } = await administrator(strict, { ...root, email: 'other-root@example.com' })
    const other = person
    expect(outcome(await device.post('/admin/impersonate-user', { userId: other.id }))).toEqual({
      status: 400,
      code: 'REASON_REQUIRED',
    })
    const named = await device.post('/admin/impersonate-user', { userId: other.id, reason: 'Ticket 7' })
    expect(named.status).toBe(200)
  })

  it('200: a session of the user for an hour, which names the administrator; cookies end with the browser', async () => {
    const { boss, person, impersonate } = await scene()
    const own = boss.device.cookie('session_token')!
    const { status, body, cookies, io } = await impersonate()
    expect({ status, id: body.user.id, userId: body.session.userId }).toEqual({
      status: 200,
      id: person.id,
      userId: person.id,
    })
    expect(body.session.impersonatedBy).toBe(boss.id)
    const lasting = Date.parse(body.session.expiresAt) - Date.now()
    expect(lasting).toBeGreaterThan(3_590_000)
    expect(lasting).toBeLessThanOrEqual(3_600_000)
    expect(io.d1).toEqual([3, 3])
    const line = (name: string) => cookies.find((one) => one.startsWith(`gatehouse.${name}=`))!
    expect(line('session_token')).not.toContain('Max-Age')
    expect(line('dont_remember')).toContain('true')
    expect(line('admin_session')).toContain('Max-Age=604800; Path=/; HttpOnly; SameSite=Lax')
    expect(boss.device.cookie('admin_session')!.split(':')[0]).toBe(own.split('.')[0])
    expect(await whoIs(boss.device)).toBe(alice.email)
    expect(await auditRows()).toMatchObject([{ action: 'impersonate-user', actor_id: boss.id, subject_id: person.id }])
  })

  it.each([
    ['  Ticket 4711: cannot see an invoice ', { reason: 'Ticket 4711: cannot see an invoice' }],
    [undefined, {}],
    [null, {}],
  ])('the audit log keeps the reason %j', async (reason, after) => {
    const { boss, person } = await scene()
    expect((await boss.device.post('/admin/impersonate-user', { userId: person.id, reason })).status).toBe(200)
    const [line] = await auditRows()
    expect(JSON.parse(line!.after)).toEqual(after)
  })

  it('403 SESSION_IS_NOT_FRESH for an administrator without a recent authentication, until a step-up', async () => {
    const { boss, person, impersonate } = await scene()
    await makeSessionsStale()
    expect(outcome(await impersonate())).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
    expect(await count('sessions', { userId: person.id })).toBe(1)
    expect((await boss.device.post('/step-up', { method: 'password', password: root.password })).status).toBe(200)
    expect((await impersonate()).status).toBe(200)
  })

  it('400 VALIDATION_ERROR for a reason that is too long', async () => {
    const { boss, person } = await scene()
    const { status, body } = await boss.device.post('/admin/impersonate-user', {
      userId: person.id,
      reason: 'x'.repeat(501),
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
  })

  it('200: with the configured duration, without a second factor, and without an extension', async () => {
    const { boss, person, impersonate } = await scene({ impersonationSessionDuration: 172_800 })
    await demandSecondFactor({ id: person.id })
    const { body } = await impersonate()
    const ends = Date.parse(body.session.expiresAt)
    expect(ends - Date.now()).toBeGreaterThan(172_700_000)
    vi.useFakeTimers({ now: Date.now() + 2 * 86_400_000 - 60_000 })
    const { body: later } = await boss.device.get('/get-session', { query: { disableCookieCache: 'true' } })
    expect(Date.parse(later.session.expiresAt)).toBe(ends)
    vi.useRealTimers()
  })

  it('is hidden from the user, and shown to administrators', async () => {
    const { app, boss, person, impersonate } = await scene()
    await impersonate()
    expect((await person.device.get('/list-sessions')).body).toHaveLength(1)
    const other = await administrator(app, bob)
    const { body } = await other.device.post('/admin/list-user-sessions', { userId: person.id })
    expect(body.sessions.map(({ impersonatedBy }: any) => impersonatedBy).sort()).toEqual([boss.id, null].sort())
  })

  it('403 for administrators and users with any permission, unless configured; never nested', async () => {
    const { app, boss, person, impersonate } = await scene({ roles: { moderator: { user: ['ban'] } } })
    const other = await administrator(app, bob)
    const roles = ['moderator', 'user,admin', 'user,moderator', 'admin,user', ' user , admin ', 'nothing,admin']
    const staff = await Promise.all(
      roles.map((role, n) => withRole(app, { ...bob, email: `staff-${n}@example.com` }, role)),
    )
    for (const userId of [other, ...staff, boss].map(({ id }) => id)) {
      const { status, body } = await boss.device.post('/admin/impersonate-user', { userId })
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'YOU_CANNOT_IMPERSONATE_ADMINS' })
    }
    await impersonate()
    for (const userId of [person.id, other.id]) {
      const nested = await boss.device.post('/admin/impersonate-user', { userId })
      expect(nested).toMatchObject({ status: 403, body: { code: 'YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS' } })
    }
    const allowing = newApp({ allowImpersonatingAdmins: true })
    const again = await signIn(allowing, root)
    expect((await again.post('/admin/impersonate-user', { userId: other.id })).status).toBe(200)
    // An impersonated administrator's session does not administer.
    expect((await again.get('/admin/list-users')).status).toBe(403)
    expect((await again.post('/admin/impersonate-user', { userId: person.id })).status).toBe(403)
  })

  it('400 for a banned user, 404 for an unknown user', async () => {
    const { boss, person, impersonate } = await scene()
    await boss.device.post('/admin/ban-user', { userId: person.id })
    const { status, body } = await impersonate()
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BANNED_USERS_CANNOT_BE_IMPERSONATED' })
    expect((await boss.device.post('/admin/impersonate-user', { userId: 'unknown' })).status).toBe(404)
  })

  it("403 OWN_SESSION_REQUIRED for actions that require the user's own session", async () => {
    const { boss, impersonate } = await scene()
    await impersonate()
    for (const [path, body] of [
      ['/change-password', { currentPassword: alice.password, newPassword: 'another-password' }],
      ['/change-email', { newEmail: 'x@example.com' }],
      ['/delete-user', { password: alice.password }],
      ['/update-user', { name: 'Another name' }],
      ['/revoke-session', { token: 'x' }],
      ['/revoke-sessions', {}],
      ['/revoke-other-sessions', {}],
    ] as const) {
      const answer = await boss.device.post(path, body)
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 403,
        code: 'OWN_SESSION_REQUIRED',
      })
    }
  })
})

describe('POST /admin/stop-impersonating', () => {
  it('200: the own session again, and the other one is over', async () => {
    const { boss, impersonate, stop } = await scene()
    const own = boss.device.cookie('session_token')
    await impersonate()
    const borrowed = boss.device.cookie('session_token')!
    const { status, body, io } = await stop()
    expect({ status, email: body.user.email, impersonatedBy: body.session.impersonatedBy }).toEqual({
      status: 200,
      email: root.email,
      impersonatedBy: null,
    })
    expect(boss.device.cookie('session_token')).toBe(own)
    expect({
      adminSession: boss.device.cookie('admin_session'),
      dontRemember: boss.device.cookie('dont_remember'),
    }).toEqual({ adminSession: undefined, dontRemember: undefined })
    expect(await whoIs(boss.device)).toBe(root.email)
    expect(io.d1).toEqual([3, 3])
    expect(await count('sessions', { token: borrowed.split('.')[0] })).toBe(0)
    expect(await auditRows()).toMatchObject([
      { action: 'impersonate-user', actor_id: boss.id },
      { action: 'stop-impersonating', actor_id: boss.id },
    ])
  })

  it('200: parallel calls all restore the session, and the log records one', async () => {
    const { boss, impersonate, stop } = await scene()
    await impersonate()
    const answers = await Promise.all(Array.from({ length: 20 }, () => stop()))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.user.email}`))).toEqual(
      new Set([`200 ${root.email}`]),
    )
    expect(await whoIs(boss.device)).toBe(root.email)
    expect((await auditRows()).map(({ action }) => action)).toEqual(['impersonate-user', 'stop-impersonating'])
  })

  it('200: a session with rememberMe false keeps it afterwards', async () => {
    const { app, person } = await scene()
    const device = await signIn(app, root, { rememberMe: false })
    await device.post('/admin/impersonate-user', { userId: person.id })
    const { cookies } = await device.post('/admin/stop-impersonating')
    expect(cookies.find((line) => line.includes('.session_token='))).not.toContain('Max-Age')
    expect(device.cookie('dont_remember')).toBeDefined()
  })

  it('200: also when the impersonation has expired', async () => {
    const { boss, impersonate, stop } = await scene()
    await impersonate()
    vi.useFakeTimers({ now: Date.now() + 3_601_000 })
    expect(await whoIs(boss.device)).toBeUndefined()
    expect((await stop()).body.user.email).toBe(root.email)
    expect(await whoIs(boss.device)).toBe(root.email)
    vi.useRealTimers()
  })

  it('400 without an impersonation, 401 without a session', async () => {
    const { app, stop } = await scene()
    const { status, body } = await stop()
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'YOU_ARE_NOT_IMPERSONATING_ANYONE' })
    expect((await app.device().post('/admin/stop-impersonating')).status).toBe(401)
  })

  it.each<[string, (device: Device, adminId: string) => unknown]>([
    ['is gone', (_device, id) => endSessions({ userId: id })],
    ['has expired', (_device, id) => expireSessions(new Date(1), { userId: id })],
    ['was never in this browser', (device) => device.jar.delete('gatehouse.admin_session')],
    ['is named by a forged cookie', (device) => device.jar.set('gatehouse.admin_session', 'x.y')],
  ])('500 FAILED_TO_FIND_ADMIN_SESSION when the own session %s; the impersonation is over', async (_what, spoil) => {
    const { boss, impersonate, stop } = await scene()
    await impersonate()
    await spoil(boss.device, boss.id)
    const { status, body } = await stop()
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'FAILED_TO_FIND_ADMIN_SESSION' })
    expect(await whoIs(boss.device)).toBeUndefined()
    // The audit log still names the administrator.
    expect((await auditRows()).at(-1)).toMatchObject({ action: 'stop-impersonating', actor_id: boss.id })
  })

  it('500 if the session in the cookie belongs to another administrator', async () => {
    const { app, boss, person, impersonate, stop } = await scene()
    const other = await administrator(app, bob)
    await other.device.post('/admin/impersonate-user', { userId: person.id })
    await impersonate()
    boss.device.jar.set('gatehouse.admin_session', other.device.jar.get('gatehouse.admin_session')!)
    expect((await stop()).status).toBe(500)
  })
})

describe('a browser in which an administrator impersonates a user', () => {
  it('has no way back after signing out: the own session ends too', async () => {
    const { boss, impersonate, stop } = await scene()
    const own = boss.device.jar.get('gatehouse.session_token')!
    await impersonate()
    const kept = boss.device.jar.get('gatehouse.admin_session')!
    await boss.device.post('/sign-out')
    expect(boss.device.cookie('admin_session')).toBeUndefined()
    boss.device.jar.set('gatehouse.admin_session', kept)
    expect((await stop()).status).toBe(401)
    boss.device.jar.set('gatehouse.session_token', own)
    expect(await whoIs(boss.device)).toBeUndefined()
  })

  it('loses the cookie of the own session when another user signs in', async () => {
    const { app, boss, impersonate, stop } = await scene()
    await plain(app, bob)
    await impersonate()
    await boss.device.post('/sign-in/email', { email: bob.email, password: bob.password })
    expect(boss.device.cookie('admin_session')).toBeUndefined()
    expect((await stop()).body.code).toBe('YOU_ARE_NOT_IMPERSONATING_ANYONE')
  })

  it('is signed out when the administrator is demoted, banned, removed, or gets another password', async () => {
    for (const [path, more] of [
      ['set-role', { role: 'user' }],
      ['ban-user', {}],
      ['remove-user', {}],
      ['set-user-password', { newPassword: 'another-password' }],
      ['revoke-user-sessions', {}],
    ] as const) {
      const { app, boss, impersonate } = await scene()
      const other = await administrator(app, bob)
      await impersonate()
      expect((await other.device.post(`/admin/${path}`, { userId: boss.id, ...more })).status).toBe(200)
      expect({ path, user: await whoIs(boss.device) }).toEqual({ path, user: undefined })
      await deleteUsers()
    }
  })

  it('is signed out when the administrator ends their sessions or takes another password elsewhere', async () => {
    const { app, boss, person, impersonate } = await scene()
    const waysOut: Record<string, (elsewhere: Device) => Promise<{ status: number }>> = {
      '/revoke-sessions': (elsewhere) => elsewhere.post('/revoke-sessions'),
      '/revoke-other-sessions': (elsewhere) => elsewhere.post('/revoke-other-sessions'),
      '/change-password': (elsewhere) =>
        elsewhere.post('/change-password', {
          currentPassword: root.password,
          newPassword: root.password,
          revokeOtherSessions: true,
        }),
      '/reset-password': async (elsewhere) => {
        await elsewhere.post('/request-password-reset', { email: root.email })
        const token = new URL(await app.linkTo(root.email)).pathname.split('/').at(-1)!
        return elsewhere.post('/reset-password', { token, newPassword: root.password })
      },
    }
    for (const [path, leave] of Object.entries(waysOut)) {
      for (const [name, value] of (await signIn(app, root)).jar) boss.device.jar.set(name, value)
      expect((await impersonate()).status).toBe(200)
      expect({ path, status: (await leave(await signIn(app, root))).status }).toEqual({ path, status: 200 })
      expect({ path, user: await whoIs(boss.device) }).toEqual({ path, user: undefined })
    }
    expect(await whoIs(person.device)).toBe(alice.email)
  })
})

describe('GET /admin/audit', () => {
  it('200: newest first, page by page, by user and by administrator, in one round trip', async () => {
    const { app, boss, person } = await scene()
    const other = await administrator(app, bob)
    for (let n = 0; n < 5; n++) {
      await boss.device.post('/admin/update-user', { userId: person.id, data: { name: `Alice ${n}` } })
    }
    await other.device.post('/admin/ban-user', { userId: boss.id, banReason: 'test' })
    const read = async (query: Record<string, string> = {}) => await other.device.get('/admin/audit', { query })
    const all = await read()
    expect(all.io.d1).toEqual([1, 5])
    expect(all.body.nextCursor).toBeNull()
    expect(all.body.entries[0]).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      action: 'ban-user',
      actorId: other.id,
      actorName: bob.name,
      subjectId: boss.id,
      subjectName: root.name,
      ipAddress: other.device.ip,
      userAgent: 'harness/1.0',
      ...{ seq: expect.any(Number), actorType: 'administrator', actorVia: null, onBehalfOf: null, subjectType: 'user' },
      ...{ organizationId: null, organizationSeq: null, requestId: expect.any(String) },
      before: { banned: false, banReason: null, banExpires: null },
      after: { banned: true, banReason: 'test', banExpires: null },
    })
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: any } = await read({ limit: '2', ...(cursor ? { cursor } : {}) })
      walked.push(...body.entries.map(({ id }: any) => id))
      cursor = body.nextCursor
    }
    expect(walked).toEqual(all.body.entries.map(({ id }: any) => id))
    expect((await read({ userId: person.id })).body.entries).toHaveLength(5)
    expect((await read({ actorId: other.id })).body.entries).toHaveLength(1)
    expect((await read({ userId: 'unknown' })).body.entries).toEqual([])
    for (const query of [{ limit: '0' }, { limit: '500' }, { cursor: 'x' }, { cursor: '' }] as Record<
      string,
      string
    >[]) {
      expect((await read(query)).status).toBe(400)
    }
  })

  it('outlives its users', async () => {
    const { boss, person } = await scene()
    await boss.device.post('/admin/remove-user', { userId: person.id })
    const { body } = await boss.device.get('/admin/audit')
    expect(body.entries).toMatchObject([{ action: 'remove-user', subjectId: person.id, subjectName: null }])
  })
})
