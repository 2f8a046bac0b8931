import { createAuthClient } from 'better-auth/client'
import { adminClient } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alice, bob } from '../../testing/people.ts'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

const root = { name: 'Root', email: 'root@example.com', password: 'password-of-root' }

let server: TestServer
beforeAll(async () => {
  server = await startServer({ vars: { ADMIN_EMAILS: root.email } })
})
afterAll(() => server?.close())

/** The published client with its plug-in, unmodified, on a device of its own. */
const device = () =>
  createAuthClient({
    baseURL: server.url,
    fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
    plugins: [adminClient()],
  })

describe('the published client administers', () => {
  const shared = {} as { admin: ReturnType<typeof device>; person: ReturnType<typeof device>; id: string }

  it('who signed up with an address of ADMIN_EMAILS', async () => {
    shared.admin = device()
    expect((await shared.admin.signUp.email(root)).error).toBeNull()
    const session = await shared.admin.getSession()
    expect(session.data?.user).toMatchObject({ role: 'admin', banned: false, banReason: null, banExpires: null })
    shared.person = device()
    await shared.person.signUp.email(alice)
    shared.id = (await shared.person.getSession()).data!.user.id
  })

  it('list-users: search, filter, sort, paging', async () => {
    const { data, error } = await shared.admin.admin.listUsers({
      query: { searchField: 'email', searchOperator: 'starts_with', searchValue: 'alice', limit: 10, offset: 0 },
    })
    expect(error).toBeNull()
    expect(data).toMatchObject({ total: 1, limit: 10, users: [{ id: shared.id, createdAt: expect.any(Date) }] })
    const sorted = await shared.admin.admin.listUsers({
      query: { sortBy: 'email', sortDirection: 'desc', limit: 1, offset: 1 },
    })
    expect(sorted.data).toMatchObject({ total: 2, limit: 1, offset: 1, users: [{ email: alice.email }] })
    const filtered = await shared.admin.admin.listUsers({
      query: { filterField: 'role', filterOperator: 'eq', filterValue: 'admin' },
    })
    expect(filtered.data?.users.map(({ email }) => email)).toEqual([root.email])
    const refused = await shared.person.admin.listUsers({ query: {} })
    expect(refused.error).toMatchObject({ status: 403, code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS' })
  })

  it('create-user, set-role, has-permission', async () => {
    const made = await shared.admin.admin.createUser({
      ...bob,
      role: 'user',
      data: { image: 'https://x.example/i.png' },
    })
    expect(made.data?.user).toMatchObject({ email: bob.email, role: 'user', image: 'https://x.example/i.png' })
    const userId = made.data!.user.id
    const promoted = await shared.admin.admin.setRole({ userId, role: ['user', 'admin'] })
    expect(promoted.data?.user).toMatchObject({ role: 'user,admin' })
    const client = device()
    await client.signIn.email({ email: bob.email, password: bob.password })
    const may = await client.admin.hasPermission({ permissions: { user: ['ban'] } })
    expect(may.data).toEqual({ error: null, success: true })
    await shared.admin.admin.setRole({ userId, role: 'user' })
    expect((await client.admin.hasPermission({ permissions: { user: ['ban'] } })).data?.success).toBe(false)
    expect(client.admin.checkRolePermission({ role: 'admin', permissions: { user: ['ban'] } })).toBe(true)
    expect((await shared.admin.admin.removeUser({ userId })).data).toEqual({ success: true })
  })

  it('impersonate-user and stop-impersonating', async () => {
    const { data, error } = await shared.admin.admin.impersonateUser({ userId: shared.id })
    expect(error).toBeNull()
    expect(data).toMatchObject({ user: { id: shared.id }, session: { userId: shared.id } })
    expect((await shared.admin.getSession()).data?.user.email).toBe(alice.email)
    expect((await shared.admin.admin.stopImpersonating()).error).toBeNull()
    expect((await shared.admin.getSession()).data?.user.email).toBe(root.email)
  })

  it('list-user-sessions, revoke-user-session, revoke-user-sessions', async () => {
    await device().signIn.email({ email: alice.email, password: alice.password })
    const { data } = await shared.admin.admin.listUserSessions({ userId: shared.id })
    expect(data?.sessions).toHaveLength(2)
    const one = await shared.admin.admin.revokeUserSession({ sessionToken: data!.sessions[0]!.token })
    expect(one.data).toEqual({ success: true })
    expect((await shared.admin.admin.revokeUserSessions({ userId: shared.id })).data).toEqual({ success: true })
    expect((await shared.admin.admin.listUserSessions({ userId: shared.id })).data?.sessions).toEqual([])
  })

  it('ban-user and unban-user', async () => {
    const { data } = await shared.admin.admin.banUser({ userId: shared.id, banReason: 'spam', banExpiresIn: 3600 })
    expect(data?.user).toMatchObject({ banned: true, banReason: 'spam', banExpires: expect.any(Date) })
    const refused = await device().signIn.email({ email: alice.email, password: alice.password })
    expect(refused.error).toMatchObject({ status: 403, code: 'BANNED_USER', banReason: 'spam' })
    expect((await shared.admin.admin.unbanUser({ userId: shared.id })).data?.user.banned).toBe(false)
  })

  it('set-user-password', async () => {
    const { data } = await shared.admin.admin.setUserPassword({ userId: shared.id, newPassword: 'another-password' })
    expect(data).toEqual({ status: true })
    expect((await device().signIn.email({ email: alice.email, password: 'another-password' })).error).toBeNull()
  })
})
