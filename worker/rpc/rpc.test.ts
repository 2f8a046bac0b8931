import { describe, expect, it } from 'vitest'
import { administrator } from '../testing/admins.ts'
import { TestApp } from '../testing/harness.ts'
import { colleague, company } from '../testing/organizations.ts'
import { alice, bob, signIn, signUp } from '../testing/people.ts'
import { count, rowsOf } from '../testing/rows.ts'
import { idOf } from '../testing/states.ts'

const app = () => new TestApp({ rateLimit: { enabled: false } })
const refused = (code: string) => expect.objectContaining({ ok: false, code, message: expect.any(String) })

describe('getSession', () => {
  it('takes the headers of a request, or those that identify the caller', async () => {
    const tested = app()
    const device = await signUp(tested, alice)
    const token = device.jar.get('gatehouse.session_token')!
    const api = tested.serverApi()
    const created = await api.createApiKey({ userId: await idOf(alice.email) })
    const apiKey = created.ok ? created.result.key : ''
    const ways = [
      new Headers({ cookie: `gatehouse.session_token=${token}` }),
      { cookie: `gatehouse.session_token=${token}` },
      { authorization: `Bearer ${token}` },
      { apiKey },
      { 'x-api-key': apiKey },
    ]
    for (const way of ways) {
      expect({ way, email: (await tested.serverApi().getSession(way))?.user.email }).toEqual({
        way,
        email: alice.email,
      })
    }
    for (const way of [{}, { apiKey: 'none' }, { authorization: `Bearer ${token.split('.')[0]}` }]) {
      expect(await tested.serverApi().getSession(way)).toBeNull()
    }
  })

  it('returns dates as Date, from the cookie of the session data and from the database', async () => {
    const tested = app()
    const device = await signUp(tested, alice)
    const cookie = (...names: string[]) =>
      names.map((name) => `gatehouse.${name}=${device.jar.get(`gatehouse.${name}`)}`)
    for (const names of [['session_token'], ['session_token', 'session_data']]) {
      const read = (await tested.serverApi().getSession({ cookie: cookie(...names).join('; ') }))!
      expect({ names, expiresAt: read.session.expiresAt, createdAt: read.user.createdAt }).toEqual({
        names,
        expiresAt: expect.any(Date),
        createdAt: expect.any(Date),
      })
    }
  })

  it('takes a key that reads, and none that is only verified', async () => {
    const tested = app()
    await signUp(tested, alice)
    const userId = await idOf(alice.email)
    const seen = async (access: 'read-only' | 'verify-only') => {
      const made = await tested.serverApi().createApiKey({ userId, access })
      const apiKey = made.ok ? made.result.key : ''
      return (await tested.serverApi().getSession({ apiKey }))?.user.email ?? null
    }
    expect({ readOnly: await seen('read-only'), verifyOnly: await seen('verify-only') }).toEqual({
      readOnly: alice.email,
      verifyOnly: null,
    })
  })
})

describe('getUser', () => {
  it('finds by id and by address, in whatever case', async () => {
    const tested = app()
    await signUp(tested, alice)
    const userId = await idOf(alice.email)
    for (const asked of [{ userId }, { email: 'ALICE@example.com' }]) {
      expect(await tested.serverApi().getUser(asked)).toMatchObject({
        ok: true,
        result: { id: userId, email: alice.email, name: alice.name },
      })
    }
    expect(JSON.stringify(await tested.serverApi().getUser({ userId }))).not.toContain('ecurityVersion')
    expect(await tested.serverApi().getUser({ userId: 'unknown' })).toEqual(refused('USER_NOT_FOUND'))
  })
})

describe('listSessions, revokeSessions', () => {
  it('lists the sessions of one user, and ends one or all', async () => {
    const tested = app()
    const first = await signUp(tested, alice)
    await signIn(tested, alice)
    const other = await signUp(tested, bob)
    const userId = await idOf(alice.email)
    const listed = await tested.serverApi().listSessions({ userId })
    const sessions = listed.ok ? listed.result : []
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({ userId, method: 'email', device: null })

    const api = tested.serverApi()
    expect(await api.revokeSessions({ token: sessions[0]!.token })).toEqual({ ok: true, result: { status: true } })
    expect(await tested.serverApi().listSessions({ userId })).toMatchObject({ result: [{ id: sessions[1]!.id }] })
    await tested.serverApi().revokeSessions({ userId })
    expect(await tested.serverApi().listSessions({ userId })).toEqual({ ok: true, result: [] })
    expect((await first.get('/list-sessions')).status).toBe(401)
    expect((await other.get('/list-sessions')).status).toBe(200)
    expect(await tested.serverApi().revokeSessions({} as never)).toEqual(
      refused('EITHER_USERID_OR_SESSION_IS_REQUIRED'),
    )
  })
})

describe('hasPermission', () => {
  it('asks the roles of a user', async () => {
    const tested = app()
    const { id: userId } = await administrator(tested)
    await signUp(tested, alice)
    const ask = (userId: string, permissions: Record<string, string[]>) =>
      tested.serverApi().hasPermission({ userId, permissions })
    expect(await ask(userId, { user: ['ban'] })).toEqual({ ok: true, result: { allowed: true } })
    expect(await ask(await idOf(alice.email), { user: ['ban'] })).toEqual({ ok: true, result: { allowed: false } })
    expect(await ask('unknown', { user: ['ban'] })).toEqual(refused('USER_NOT_FOUND'))
    expect(await ask(userId, {})).toEqual(refused('VALIDATION_ERROR'))
  })

  it('asks the roles of a member, and refuses a user who is not a member', async () => {
    const tested = app()
    const at = await company(tested, 'acme')
    const member = await colleague(tested, at, 'carol')
    await signUp(tested, alice)
    const ask = async (email: string) =>
      tested.serverApi().hasPermission({
        userId: await idOf(email),
        organizationId: at.id,
        permissions: { invitation: ['create'] },
      })
    expect(await ask(at.owner.email)).toEqual({ ok: true, result: { allowed: true } })
    expect(await ask(member.email)).toEqual({ ok: true, result: { allowed: false } })
    expect(await ask(alice.email)).toEqual({ ok: true, result: { allowed: false } })
  })
})

describe('administration', () => {
  const scene = async () => {
    const tested = app()
    await signUp(tested, alice)
    return { tested, userId: await idOf(alice.email) }
  }

  it.each<[string, object | null | undefined]>([
    ['setRole', undefined],
    ['setRole', {}],
    ['setRole', { role: 'admin' }],
    ['setRole', { userId: 'ID' }],
    ['setRole', { userId: 'ID', role: 5 }],
    ['setRole', { userId: 'ID', role: [1] }],
    ['banUser', undefined],
    ['banUser', {}],
    ['banUser', { userId: {} }],
    ['banUser', { userId: 'ID', expiresIn: Number.NaN }],
    ['banUser', { userId: 'ID', expiresIn: -5 }],
    ['banUser', { userId: 'ID', expiresIn: '3600' }],
    ['banUser', { userId: 'ID', expiresIn: 1e300 }],
    ['banUser', { userId: 'ID', reason: {} }],
    ['banUser', { userId: 'ID', reason: 'x'.repeat(501) }],
    ['revokeSessions', { token: 5 }],
    ['revokeSessions', { token: null }],
    ['listAudit', null],
    ['listAudit', { limit: -1 }],
    ['listAudit', { limit: 1.5 }],
    ['listAudit', { limit: 1e9 }],
    ['listAudit', { userId: {} }],
    ['setPassword', undefined],
    ['setPassword', {}],
    ['setPassword', { userId: 'ID' }],
    ['setPassword', { userId: 'ID', newPassword: 12_345_678 }],
  ])('%s(%j): rejects invalid input, and changes no user', async (method, input) => {
    const { tested, userId } = await scene()
    const asked = input && 'userId' in input && input.userId === 'ID' ? { ...input, userId } : input
    const before = await rowsOf('users')
    const api = tested.serverApi() as unknown as Record<string, (input: unknown) => Promise<unknown>>
    expect(await api[method]!(asked)).toEqual(refused('VALIDATION_ERROR'))
    expect(await rowsOf('users')).toEqual(before)
    expect(await count('sessions')).toBe(1)
  })

  it('revokeSessions: without a token the id says whose, and with neither it is refused', async () => {
    const { tested, userId } = await scene()
    const revoke = (input: object | undefined) => tested.serverApi().revokeSessions(input as { userId: string })
    for (const input of [{}, undefined, { token: undefined }, { userId: 5 }]) {
      expect(await revoke(input)).toEqual(refused('EITHER_USERID_OR_SESSION_IS_REQUIRED'))
    }
    expect(await revoke({ userId, token: undefined })).toMatchObject({ ok: true })
    expect(await count('sessions')).toBe(0)
  })
})
