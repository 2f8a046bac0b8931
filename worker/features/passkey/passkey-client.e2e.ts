import { createAuthClient } from 'better-auth/client'
import { multiSessionClient, passkeyClient } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plugIntoNavigator } from '../../testing/credentials-container.ts'
import { SoftwareAuthenticator } from '../../testing/passkeys.ts'
import { alice, bob } from '../../testing/people.ts'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.close())

/** The published client with both plug-ins, unmodified, on a device of its own. */
const device = () =>
  createAuthClient({
    baseURL: server.url,
    fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
    plugins: [passkeyClient(), multiSessionClient()],
  })

type Client = ReturnType<typeof device>

describe('the published client drives passkeys', () => {
  const shared = {} as { client: Client; id: string }

  it('adds one', async () => {
    plugIntoNavigator(new SoftwareAuthenticator({ origin: server.url }))
    shared.client = device()
    await shared.client.signUp.email(alice)
    expect(await shared.client.passkey.addPasskey({ name: 'Laptop' })).toBeUndefined()
    const { data } = await shared.client.passkey.listUserPasskeys()
    expect(data).toMatchObject([{ name: 'Laptop', transports: 'internal', createdAt: expect.any(Date) }])
    shared.id = data![0]!.id
  })

  it('returns an error for an authenticator that is already registered', async () => {
    expect((await shared.client.passkey.addPasskey())?.error).toEqual({
      message: 'previously registered',
      status: 400,
      statusText: 'BAD_REQUEST',
    })
  })

  it('renames it', async () => {
    const { data } = await shared.client.passkey.updatePasskey({ id: shared.id, name: 'Desk' })
    expect(data).toMatchObject({ passkey: { id: shared.id, name: 'Desk' } })
  })

  it('signs in with it', async () => {
    const client = device()
    expect(await client.signIn.passkey()).toBeUndefined()
    expect((await client.getSession()).data?.user.email).toBe(alice.email)
  })

  it('deletes it', async () => {
    expect(await shared.client.passkey.deletePasskey({ id: shared.id })).toMatchObject({ data: null, error: null })
    expect((await shared.client.passkey.listUserPasskeys()).data).toEqual([])
    expect((await device().signIn.passkey())?.error).toMatchObject({ status: 401, code: 'PASSKEY_NOT_FOUND' })
  })
})

describe('the published client drives several accounts', () => {
  it('lists, switches and revokes', async () => {
    const client = device()
    await client.signIn.email({ email: alice.email, password: alice.password })
    await client.signUp.email(bob)
    const { data: list } = await client.multiSession.listDeviceSessions({})
    expect(list?.map(({ user }) => user.email)).toEqual([bob.email, alice.email])
    const [bobs, alices] = list!.map(({ session }) => session.token)
    const active = await client.multiSession.setActive({ sessionToken: alices! })
    expect(active.data).toMatchObject({ user: { email: alice.email } })
    expect((await client.getSession()).data?.user.email).toBe(alice.email)
    expect((await client.multiSession.revoke({ sessionToken: alices! })).data).toEqual({ status: true })
    expect((await client.getSession()).data?.session.token).toBe(bobs)
    expect((await client.multiSession.revoke({ sessionToken: alices! })).error).toMatchObject({
      status: 401,
      code: 'INVALID_SESSION_TOKEN',
      message: 'Invalid session token',
    })
  })
})
