import {
  adminClient,
  apiKeyClient,
  createAuthClient,
  jwtClient,
  multiSessionClient,
  oneTimeTokenClient,
  organizationClient,
  passkeyClient,
} from 'better-auth-newest'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { plugIntoNavigator } from './credentials-container.ts'
import { SoftwareAuthenticator } from './passkeys.ts'
import { alice, bob } from './people.ts'
import { publishedClientFetch } from './published-client.ts'
import { startServer, type TestServer } from './server.ts'

// The newest published client is compatible with the protocol of 1.2, except for the differences that the tests below
// name.

const root = { name: 'Root', email: 'root@example.com', password: 'password-of-root' }
const olga = { name: 'Olga', email: 'olga@example.com', password: 'password-of-olga' }
const wanda = { name: 'Wanda', email: 'wanda@example.com', password: 'password-of-wanda' }
const vera = { name: 'Vera', email: 'vera@example.com', password: 'password-of-vera' }

let server: TestServer
beforeAll(async () => {
  server = await startServer({
    vars: { ADMIN_EMAILS: root.email },
    config: { apiKey: { enableMetadata: true }, organization: { teams: { enabled: true } } },
  })
  plugIntoNavigator(new SoftwareAuthenticator({ origin: server.url }))
})
afterAll(() => server?.close())

/** The newest client with all plug-ins, unmodified, on a separate device. */
const device = (browser = publishedClientFetch(server.url)) =>
  createAuthClient({
    baseURL: server.url,
    fetchOptions: { customFetchImpl: browser },
    plugins: [
      passkeyClient(),
      multiSessionClient(),
      jwtClient(),
      oneTimeTokenClient(),
      adminClient(),
      apiKeyClient(),
      organizationClient({ teams: { enabled: true } }),
    ],
  })

type Client = ReturnType<typeof device>

const signedUp = async (person: typeof alice): Promise<Client> => {
  const client = device()
  expect((await client.signUp.email(person)).error).toBeNull()
  return client
}

/** A user who has opened the link of the verification mail in the browser that signed up. */
async function verified(person: typeof alice): Promise<Client> {
  const browser = publishedClientFetch(server.url)
  const client = device(browser)
  expect((await client.signUp.email(person)).error).toBeNull()
  const link = async () => (await server.mailbox()).find(({ to }) => to === person.email)?.links[0]
  await vi.waitFor(async () => expect(await link()).toBeTruthy(), { timeout: 30_000 })
  await browser((await link())!, { redirect: 'manual' })
  return client
}

describe('the newest client drives passkeys', () => {
  const shared = {} as { client: Client; id: string }

  it('adds one, whose answer it gives back as data', async () => {
    shared.client = await signedUp(alice)
    const { data, error } = await shared.client.passkey.addPasskey({ name: 'Laptop' })
    expect(error).toBeNull()
    expect(data).toMatchObject({ name: 'Laptop', transports: 'internal' })
    const list = await shared.client.passkey.listUserPasskeys()
    expect(list.data).toMatchObject([{ name: 'Laptop', createdAt: expect.any(Date) }])
    shared.id = list.data![0]!.id
  })

  it('receives the code of the browser’s library for an authenticator that is already registered', async () => {
    expect((await shared.client.passkey.addPasskey()).error).toMatchObject({
      code: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED',
      status: 400,
    })
  })

  it('signs in: asks for the options by GET where 1.2 posted, and leaves clientExtensionResults out', async () => {
    const client = device()
    const { data, error } = await client.signIn.passkey()
    expect(error).toBeNull()
    expect(data).toMatchObject({ session: { token: expect.any(String) } })
    expect((await client.getSession()).data?.user.email).toBe(alice.email)
  })

  it('renames and deletes it; the deletion answers null, as 1.2 does, where 1.7 answers { status: true }', async () => {
    const { client, id } = shared
    expect((await client.passkey.updatePasskey({ id, name: 'Desk' })).data).toMatchObject({ passkey: { name: 'Desk' } })
    expect(await client.passkey.deletePasskey({ id })).toMatchObject({ error: null })
    expect((await client.passkey.listUserPasskeys()).data).toEqual([])
    expect((await device().signIn.passkey()).error).toMatchObject({ status: 401, code: 'PASSKEY_NOT_FOUND' })
  })
})

describe('the newest client drives several accounts', () => {
  it('lists, switches and revokes', async () => {
    const client = device()
    await client.signIn.email({ email: alice.email, password: alice.password })
    await client.signUp.email(bob)
    const { data: list } = await client.multiSession.listDeviceSessions()
    expect(list?.map(({ user }) => user.email)).toEqual([bob.email, alice.email])
    const [bobs, alices] = list!.map(({ session }) => session.token)
    const active = await client.multiSession.setActive({ sessionToken: alices! })
    expect(active.data).toMatchObject({ user: { email: alice.email } })
    expect((await client.multiSession.revoke({ sessionToken: alices! })).data).toEqual({ status: true })
    expect((await client.getSession()).data?.session.token).toBe(bobs)
    expect((await client.multiSession.revoke({ sessionToken: alices! })).error).toMatchObject({
      status: 401,
      code: 'INVALID_SESSION_TOKEN',
    })
  })
})

describe('the newest client drives tokens', () => {
  it('token and jwks', async () => {
    const client = device()
    expect((await client.token()).error).toMatchObject({ status: 401 })
    const { data } = await client.signIn.email({ email: bob.email, password: bob.password })
    const { token } = (await client.token()).data!
    const keySet = createRemoteJWKSet(new URL(`${server.url}/api/auth/jwks`))
    const { payload } = await jwtVerify(token, keySet, { issuer: server.url, audience: server.url })
    expect(payload.sub).toBe(data!.user.id)
    expect((await client.jwks()).data?.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', kid: expect.any(String) })
  })

  it('one-time tokens', async () => {
    const client = device()
    await client.signIn.email({ email: bob.email, password: bob.password })
    const { token } = (await client.oneTimeToken.generate()).data!
    const verified = await device().oneTimeToken.verify({ token })
    expect(verified.data).toMatchObject({ user: { email: bob.email }, session: { token: expect.any(String) } })
    expect((await device().oneTimeToken.verify({ token })).error).toMatchObject({ status: 400 })
  })
})

describe('the newest client administers', () => {
  const shared = {} as { admin: Client; id: string }

  it('list-users, get-user, update-user', async () => {
    shared.admin = await signedUp(root)
    await signedUp(vera)
    const { admin } = shared.admin
    const { data } = await admin.listUsers({
      query: { searchField: 'email', searchOperator: 'starts_with', searchValue: 'vera', limit: 10 },
    })
    expect(data).toMatchObject({ total: 1, users: [{ email: vera.email, createdAt: expect.any(Date) }] })
    shared.id = data!.users[0]!.id
    expect((await admin.getUser({ query: { id: shared.id } })).data).toMatchObject({ email: vera.email })
    const renamed = await admin.updateUser({ userId: shared.id, data: { name: 'Vera II' } })
    expect(renamed.data).toMatchObject({ id: shared.id, name: 'Vera II' })
  })

  it('create-user, set-role, has-permission, remove-user', async () => {
    const { admin } = shared.admin
    const made = await admin.createUser({ name: 'Wim', email: 'wim@example.com', password: 'password-of-wim' })
    const userId = made.data!.user.id
    expect((await admin.setRole({ userId, role: 'admin' })).data?.user).toMatchObject({ role: 'admin' })
    expect((await admin.hasPermission({ permissions: { user: ['ban'] } })).data).toMatchObject({ success: true })
    expect(admin.checkRolePermission({ role: 'user', permissions: { user: ['ban'] } })).toBe(false)
    expect((await admin.removeUser({ userId })).data).toEqual({ success: true })
  })

  it('impersonate-user and stop-impersonating', async () => {
    const { admin } = shared.admin
    expect((await admin.impersonateUser({ userId: shared.id })).data).toMatchObject({ user: { id: shared.id } })
    expect((await shared.admin.getSession()).data?.user.email).toBe(vera.email)
    expect((await admin.stopImpersonating()).error).toBeNull()
    expect((await shared.admin.getSession()).data?.user.email).toBe(root.email)
  })

  it('sessions, password, ban', async () => {
    const { admin } = shared.admin
    const { id: userId } = shared
    const sessions = (await admin.listUserSessions({ userId })).data!.sessions
    expect(sessions).toHaveLength(1)
    const sessionToken = sessions[0]!.token
    expect((await admin.revokeUserSession({ sessionToken })).data).toEqual({ success: true })
    expect((await admin.revokeUserSessions({ userId })).data).toEqual({ success: true })
    expect((await admin.setUserPassword({ userId, newPassword: 'another-password' })).data).toEqual({ status: true })
    const banned = await admin.banUser({ userId, banReason: 'spam', banExpiresIn: 3600 })
    expect(banned.data?.user).toMatchObject({ banned: true, banReason: 'spam', banExpires: expect.any(Date) })
    const refused = await device().signIn.email({ email: vera.email, password: 'another-password' })
    expect(refused.error).toMatchObject({ status: 403, code: 'BANNED_USER' })
    expect((await admin.unbanUser({ userId })).data?.user).toMatchObject({ banned: false })
    expect((await device().signIn.email({ email: vera.email, password: 'another-password' })).error).toBeNull()
  })
})

describe('the newest client drives API keys', () => {
  it('creates, gets, updates, uses and deletes one', async () => {
    const client = device()
    expect((await client.apiKey.create({ name: 'x' })).error).toMatchObject({ status: 401 })
    await client.signIn.email({ email: bob.email, password: bob.password })
    const made = await client.apiKey.create({ name: 'My key', prefix: 'acme_', metadata: { tier: 'gold' } })
    expect(made.data).toMatchObject({ name: 'My key', prefix: 'acme_', enabled: true, metadata: { tier: 'gold' } })
    const { id, key } = made.data!
    expect((await client.apiKey.get({ query: { id } })).data).toMatchObject({ id, name: 'My key' })
    expect((await client.apiKey.update({ keyId: id, name: 'Renamed' })).data).toMatchObject({ name: 'Renamed' })
    const { data } = await device().getSession({ fetchOptions: { headers: { 'x-api-key': key } } })
    expect(data).toMatchObject({ user: { email: bob.email }, session: { id } })
    expect((await client.apiKey.delete({ keyId: id })).data).toEqual({ success: true })
  })

  it('lists them: an array, as in 1.2, where 1.7 answers { apiKeys, total }', async () => {
    const client = device()
    await client.signIn.email({ email: bob.email, password: bob.password })
    await client.apiKey.create({ name: 'Listed' })
    const { data } = await client.apiKey.list()
    expect(data).toMatchObject([{ name: 'Listed', createdAt: expect.any(Date) }])
  })
})

describe('the newest client drives teams', () => {
  it('adds a member to two teams, activates one, lists both, and removes the member from one', async () => {
    const [owner, member] = [await verified(olga), await verified(wanda)]
    const { organization } = owner
    const acme = (await organization.create({ name: 'Acme', slug: 'acme' })).data!
    const invitation = (await organization.inviteMember({ email: wanda.email, role: 'member' })).data!
    await member.organization.acceptInvitation({ invitationId: invitation.id })
    const userId = (await member.getSession()).data!.user.id
    const teams = ['Design', 'Sales'].map((name) => organization.createTeam({ name, organizationId: acme.id }))
    const [design, sales] = (await Promise.all(teams)).map(({ data }) => data!.id) as [string, string]
    const added = await organization.addTeamMember({ teamId: design, userId })
    expect(added.data).toMatchObject({ teamId: design, userId, createdAt: expect.any(Date) })
    await organization.addTeamMember({ teamId: sales, userId })
    expect((await member.organization.setActiveTeam({ teamId: sales })).data).toMatchObject({ id: sales })
    expect((await member.getSession()).data?.session).toMatchObject({ activeTeamId: sales })
    expect((await member.organization.listTeamMembers()).data).toMatchObject([{ userId, teamId: sales }])
    const listed = (await member.organization.listUserTeams()).data!
    expect(listed.map(({ id }) => id).toSorted()).toEqual([design, sales].toSorted())
    const removed = await organization.removeTeamMember({ teamId: sales, userId })
    expect(removed.data).toEqual({ message: 'Team member removed successfully.' })
    const stored = await member.getSession({ query: { disableCookieCache: true } })
    expect(stored.data?.session).not.toHaveProperty('activeTeamId')
    expect((await member.organization.listTeamMembers({ query: { teamId: design } })).data).toHaveLength(1)
  })
})
