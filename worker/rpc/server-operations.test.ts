import { describe, expect, it, vi } from 'vitest'
import { administrator, auditRows, plain } from '../testing/admins.ts'
import { serverKey } from '../testing/api-keys.ts'
import { env, TestApp } from '../testing/harness.ts'
import { colleague, company, someone } from '../testing/organizations.ts'
import { alice, bob } from '../testing/people.ts'
import { count, rowOf, rowsOf } from '../testing/rows.ts'
import { backEnd } from '../testing/server-keys.ts'
import { tokenTo } from '../testing/set-ups.ts'

/** Each transport calls an operation by name and returns its result, or the code of its refusal. */
const transports = {
  'over a service binding': async (app: TestApp) => async (name: string, input?: object) => {
    const api = app.serverApi() as unknown as Record<string, (input: unknown) => Promise<Called>>
    const answer = await api[name]!(input)
    return answer.ok ? answer.result : answer.code
  },
  'with a server key': async (app: TestApp) => {
    const server = await backEnd(app)
    return async (name: string, input?: object) => {
      const { status, body } = await server.call(name, input)
      return status === 200 ? body : body.code
    }
  },
}

interface Called {
  ok: boolean
  result: any
  code: string
}

it('an invitation of a server is mailed', async () => {
  const app = new TestApp({ rateLimit: { enabled: false } })
  const at = await company(app, 'acme')
  const invitation = { organizationId: at.id, inviterId: at.owner.id, email: 'dora@example.com', role: 'member' }
  await (await backEnd(app)).call('createInvitation', invitation)
  expect(await app.linkTo('dora@example.com')).toContain('invitation')
})

describe.each(Object.entries(transports))('%s: a user without a password', (_transport, connect) => {
  const dora = { name: 'Dora', email: 'dora@example.com' }
  const newPassword = 'password-of-dora'

  it('chooses one by a mailed link, which proves the address', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const call = await connect(app)
    expect(await call('createUser', { ...dora, invite: true })).toMatchObject({ emailVerified: false })
    expect(await count('accounts')).toBe(0)
    // The server API does not wait for the job of the mail.
    const mails = async () => (await app.mailbox()).filter(({ to }) => to === dora.email)
    await vi.waitFor(async () => expect(await mails()).toHaveLength(1), { timeout: 30_000 })
    expect((await mails())[0]).toMatchObject({
      subject: 'Your account at Gatehouse',
      text: expect.stringContaining('7 days'),
    })
    const token = await tokenTo(app, dora.email)
    expect((await app.device().post('/reset-password', { token, newPassword })).status).toBe(200)
    const signIn = await app.device().post('/sign-in/email', { email: dora.email, password: newPassword })
    expect(signIn.body.user).toMatchObject({ name: 'Dora', emailVerified: true })
    const again = await app.device().post('/reset-password', { token, newPassword })
    expect(again.body.code).toBe('INVALID_TOKEN')
    expect(await call('createUser', { ...dora, invite: true })).toBe('USER_ALREADY_EXISTS')
  })

  it('gets no mail without an invitation; a password and `invite` exclude each other', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const call = await connect(app)
    expect(await call('createUser', { ...dora, invite: false })).toMatchObject({ emailVerified: false })
    expect(await app.mailbox()).toEqual([])
    const signIn = await app.device().post('/sign-in/email', { email: dora.email, password: newPassword })
    expect(signIn.body.code).toBe('INVALID_EMAIL_OR_PASSWORD')
    const other = { ...dora, email: 'other@example.com' }
    for (const more of [{}, { password: newPassword, invite: true }, { password: newPassword, invite: false }])
      expect(await call('createUser', { ...other, ...more })).toBe('VALIDATION_ERROR')
    expect(await count('users', { email: other.email })).toBe(0)
  })

  it('is not invited where passwords are off', async () => {
    const app = new TestApp({ rateLimit: { enabled: false }, emailAndPassword: { enabled: false } })
    const call = await connect(app)
    expect(await call('createUser', { ...dora, invite: true })).toBe('RESET_PASSWORD_ISNT_ENABLED')
    expect(await call('createUser', { ...dora, invite: false })).toMatchObject({ email: dora.email })
  })
})

it('an invitation whose link cannot be stored creates no user', async () => {
  const app = new TestApp({ rateLimit: { enabled: false } })
  const { call } = await backEnd(app)
  vi.spyOn(env.KV, 'put').mockRejectedValue(new Error('KV is down'))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const email = 'dora@example.com'
  expect((await call('createUser', { name: 'Dora', email, invite: true })).status).toBe(503)
  vi.restoreAllMocks()
  expect(await count('users', { email })).toBe(0)
  expect((await call('createUser', { name: 'Dora', email, invite: true })).status).toBe(200)
})

describe.each(Object.entries(transports))('%s', (_transport, connect) => {
  const scene = async () => {
    const app = new TestApp({ rateLimit: { enabled: false }, organization: { teams: { enabled: true } } })
    return { app, call: await connect(app) }
  }

  it('users: create, list page by page, get, update, ban, unban, delete', async () => {
    const { app, call } = await scene()
    const person = { name: 'Dora', email: 'Dora@example.com', password: 'password-of-dora' }
    const dora = await call('createUser', person)
    expect(dora).toMatchObject({ name: 'Dora', email: 'dora@example.com', emailVerified: false, role: 'user' })
    expect(await call('createUser', person)).toBe('USER_ALREADY_EXISTS')
    expect(await call('createUser', { ...person, email: 'd@example.com', role: 'admin' })).toMatchObject({
      role: 'user',
    })
    await plain(app, alice)
    const first = await call('listUsers', { limit: 2, sortBy: 'email' })
    expect(first.users.map(({ email }: { email: string }) => email)).toEqual([alice.email, 'd@example.com'])
    const second = await call('listUsers', { limit: 2, cursor: first.nextCursor })
    expect(second).toMatchObject({ users: [{ email: 'dora@example.com' }], nextCursor: null, total: 3 })
    expect(await call('listUsers', { cursor: 'none' })).toBe('INVALID_CURSOR')
    const userId = dora.id
    expect(await call('updateUser', { userId, data: { name: 'Dora B' } })).toMatchObject({ name: 'Dora B' })
    expect(await call('updateUser', { userId, data: {} })).toBe('NO_DATA_TO_UPDATE')
    expect(await call('updateUser', { userId, data: { email: alice.email } })).toBe('USER_ALREADY_EXISTS')
    expect(await call('getUser', { email: 'dora@example.com' })).toMatchObject({ id: userId, name: 'Dora B' })
    expect(await call('banUser', { userId, reason: 'spam' })).toMatchObject({ banned: true, banReason: 'spam' })
    expect(await call('unbanUser', { userId })).toMatchObject({ banned: false })
    expect(await call('deleteUser', { userId })).toEqual({ status: true })
    expect(await call('deleteUser', { userId })).toBe('USER_NOT_FOUND')
    expect((await auditRows()).map(({ action }) => action)).toEqual([
      'create-user',
      'create-user',
      'update-user',
      'ban-user',
      'unban-user',
      'remove-user',
    ])
  })

  it('users: the last administrator remains', async () => {
    const { app, call } = await scene()
    const { id: userId } = await administrator(app)
    for (const [name, input] of [
      ['deleteUser', { userId }],
      ['banUser', { userId }],
      ['setRole', { userId, role: 'user' }],
    ] as const) {
      expect(await call(name, input)).toBe('THE_LAST_ADMINISTRATOR_MUST_REMAIN')
    }
    expect(await count('users')).toBe(1)
  })

  it('organizations: create, list, get, update, delete', async () => {
    const { app, call } = await scene()
    const { id: userId } = await someone(app, 'owner')
    const made = await call('createOrganization', { userId, name: 'Acme', slug: 'acme' })
    expect(made).toMatchObject({ name: 'Acme', members: [{ userId, role: 'owner' }] })
    const organizationId = made.id
    expect(await call('listOrganizations', { search: 'ac' })).toMatchObject({ organizations: [{ id: organizationId }] })
    await call('createOrganization', { userId, name: 'Other', slug: 'other' })
    expect(
      await call('updateOrganization', { organizationId, data: { name: 'Acme Ltd', metadata: { plan: 'pro' } } }),
    ).toMatchObject({ name: 'Acme Ltd', slug: 'acme', metadata: { plan: 'pro' } })
    const taken = { organizationId, data: { slug: 'other' } }
    expect(await call('updateOrganization', taken)).toBe('ORGANIZATION_ALREADY_EXISTS')
    expect(await call('updateOrganization', { organizationId: 'none', data: { name: 'x' } })).toBe(
      'ORGANIZATION_NOT_FOUND',
    )
    expect(await call('getOrganization', { id: organizationId })).toMatchObject({ name: 'Acme Ltd', memberCount: 1 })
    expect(await call('deleteOrganization', { organizationId })).toEqual({ status: true })
    expect(await call('getOrganization', { id: organizationId })).toBe('ORGANIZATION_NOT_FOUND')
    expect((await auditRows()).map(({ action }) => action)).toEqual([
      ...Array(2).fill('server.create-organization'),
      ...['update-organization', 'delete-organization'],
    ])
  })

  it('members: add, list page by page, update, remove; the last owner remains', async () => {
    const { app, call } = await scene()
    const at = await company(app, 'acme')
    const organizationId = at.id
    const { id: userId } = await someone(app, 'carol')
    const carol = await call('addMember', { organizationId, userId, role: 'member' })
    const { members } = await call('listMembers', { organizationId })
    expect(members).toMatchObject([{ role: 'owner' }, { id: carol.id, user: { email: 'carol@example.com' } }])
    expect((await call('listMembers', { organizationId, limit: 1, offset: 1 })).members).toMatchObject([
      { id: carol.id },
    ])
    expect(await call('listMembers', { organizationId: 'none' })).toBe('ORGANIZATION_NOT_FOUND')
    const memberId = carol.id
    expect(await call('updateMember', { organizationId, memberId, role: 'admin' })).toMatchObject({ role: 'admin' })
    expect(await call('removeMember', { organizationId, memberId })).toEqual({ status: true })
    const owner = { organizationId, memberId: members[0].id }
    expect(await call('removeMember', owner)).toBe('THE_LAST_OWNER_MUST_REMAIN')
    expect(await call('updateMember', { ...owner, role: 'member' })).toBe('THE_LAST_OWNER_MUST_REMAIN')
  })

  it('invitations: create in the name of a member who may, list, cancel', async () => {
    const { app, call } = await scene()
    const at = await company(app, 'acme')
    const carol = await colleague(app, at, 'carol')
    const organizationId = at.id
    const invitation = { organizationId, inviterId: at.owner.id, email: 'Dora@example.com', role: 'member' }
    const made = await call('createInvitation', invitation)
    expect(made).toMatchObject({ email: 'dora@example.com', status: 'pending', inviterId: at.owner.id })
    expect(await call('createInvitation', invitation)).toBe('USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION')
    expect(await call('createInvitation', { ...invitation, inviterId: carol.id })).toBe(
      'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION',
    )
    const stranger = await someone(app, 'eve')
    expect(await call('createInvitation', { ...invitation, inviterId: stranger.id })).toBe('MEMBER_NOT_FOUND')
    const { invitations } = await call('listInvitations', { organizationId })
    expect(invitations).toMatchObject([{ id: made.id }, { email: carol.email, status: 'accepted' }])
    const choice = { organizationId, invitationId: made.id }
    expect(await call('cancelInvitation', { ...choice, organizationId: 'other' })).toBe('INVITATION_NOT_FOUND')
    expect(await call('cancelInvitation', choice)).toMatchObject({ status: 'canceled' })
    expect(await call('cancelInvitation', choice)).toBe('INVITATION_NOT_FOUND')
  })

  it('API keys: create, list, revoke, with the event of the owner', async () => {
    const { app, call } = await scene()
    const { id: userId } = await plain(app, alice)
    const { id: other } = await plain(app, bob)
    const { key, id } = await call('createApiKey', { userId, name: 'deploy' })
    await serverKey(app, { userId: other })
    const { keys } = await call('listApiKeys', { userId })
    expect(keys).toMatchObject([{ id, name: 'deploy', userId }])
    expect(JSON.stringify(keys)).not.toContain(key)
    expect(await call('listApiKeys', {})).toBe('VALIDATION_ERROR')
    expect(await call('revokeApiKey', { keyId: id, userId: other })).toBe('API_KEY_NOT_FOUND')
    expect(await call('revokeApiKey', { keyId: id })).toEqual({ status: true })
    expect(await call('revokeApiKey', { keyId: id })).toBe('API_KEY_NOT_FOUND')
    expect(await rowOf('api_keys', { id })).toBeNull()
    expect(await rowsOf('security_events', { type: 'api-key-deleted' })).toMatchObject([{ userId }])
  })

  it('sessions and events: list, revoke, page by page', async () => {
    const { app, call } = await scene()
    const { id: userId } = await plain(app, alice)
    const [session] = await call('listSessions', { userId })
    expect(session).toMatchObject({ userId })
    expect(await call('revokeSessions', { token: session.token })).toEqual({ status: true })
    expect(await call('listSessions', { userId })).toEqual([])
    await call('createApiKey', { userId })
    await call('createApiKey', { userId })
    const { events, next } = await call('listSecurityEvents', { userId, limit: 1 })
    expect(events).toMatchObject([{ type: 'api-key-created', userId }])
    expect((await call('listSecurityEvents', { userId, limit: 1, cursor: next })).events).toHaveLength(1)
    expect(await call('listSecurityEvents', { cursor: '!' })).toBe('INVALID_CURSOR')
  })
})
