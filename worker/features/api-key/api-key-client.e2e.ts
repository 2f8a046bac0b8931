import { createAuthClient } from 'better-auth/client'
import { apiKeyClient } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alice, bob } from '../../testing/people.ts'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { apiKey: { enableMetadata: true } } })
})
afterAll(() => server?.close())

/** The published client with its plug-in, unmodified, on a device of its own. */
const device = () =>
  createAuthClient({
    baseURL: server.url,
    fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
    plugins: [apiKeyClient()],
  })

describe('the published client drives API keys', () => {
  const shared = {} as { client: ReturnType<typeof device>; id: string; key: string }

  it('creates a key', async () => {
    shared.client = device()
    expect((await shared.client.apiKey.create({ name: 'x' })).error).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED_OR_INVALID_SESSION',
    })
    await shared.client.signUp.email(alice)
    const { data, error } = await shared.client.apiKey.create({
      name: 'My key',
      prefix: 'acme_',
      expiresIn: 7 * 86_400,
      metadata: { tier: 'gold' },
    })
    expect(error).toBeNull()
    expect(data).toMatchObject({ name: 'My key', prefix: 'acme_', enabled: true, metadata: { tier: 'gold' } })
    expect(data!.expiresAt).toBeInstanceOf(Date)
    shared.id = data!.id
    shared.key = data!.key
  })

  it('gets, lists and updates it', async () => {
    const { client, id } = shared
    expect((await client.apiKey.get({ query: { id } })).data).toMatchObject({ id, name: 'My key' })
    expect((await client.apiKey.list()).data).toHaveLength(1)
    const updated = await client.apiKey.update({ keyId: id, name: 'Renamed' })
    expect(updated.data).toMatchObject({ id, name: 'Renamed' })
    expect((await client.apiKey.update({ keyId: id })).error).toMatchObject({
      status: 400,
      code: 'NO_VALUES_TO_UPDATE',
    })
  })

  it('gets errors for server-only properties and for other users’ keys', async () => {
    const { client, id } = shared
    expect((await client.apiKey.create({ remaining: 1_000_000 })).error).toMatchObject({ status: 400 })
    const other = device()
    await other.signUp.email(bob)
    expect((await other.apiKey.get({ query: { id } })).error).toMatchObject({ status: 404, code: 'API_KEY_NOT_FOUND' })
    expect((await other.apiKey.delete({ keyId: id })).error).toMatchObject({ status: 404 })
  })

  it('opens a session with the key in its header', async () => {
    const { data } = await device().getSession({ fetchOptions: { headers: { 'x-api-key': shared.key } } })
    expect(data).toMatchObject({ user: { email: alice.email }, session: { id: shared.id, token: shared.key } })
  })

  it('cannot verify or purge over HTTP', async () => {
    const { client, key } = shared
    const verify = await client.$fetch('/api-key/verify', { method: 'POST', body: { key } })
    expect(verify.error).toMatchObject({ status: 404 })
    expect((await client.$fetch('/api-key/delete-all-expired-api-keys', { method: 'POST' })).error).toMatchObject({
      status: 404,
    })
  })

  it('deletes it', async () => {
    const { client, id, key } = shared
    expect((await client.apiKey.delete({ keyId: id })).data).toEqual({ success: true })
    const session = await device().getSession({ fetchOptions: { headers: { 'x-api-key': key } } })
    expect(session.error).toMatchObject({ status: 401, code: 'INVALID_API_KEY' })
  })
})
