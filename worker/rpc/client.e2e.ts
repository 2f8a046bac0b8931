import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServerKey } from '../features/server-keys/new-server-key.ts'
import { type ServerPermission, serverPermissionNames } from '../kit/server-permissions.ts'
import { alice } from '../testing/people.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { type HttpServerClient, serverClient } from './client.ts'

let server: TestServer
let client: HttpServerClient
let userId: string

/** Writes a key, as the command line does. */
async function keyWith(permissions: readonly ServerPermission[]): Promise<string> {
  const { row, shown } = makeServerKey({ name: 'test', permissions }, null, new Date())
  const database = await server.database()
  await database
    .prepare(
      'insert into server_keys (id, name, start, key_hash, permissions, addresses, created_at) values (?, ?, ?, ?, ?, ?, ?)',
    )
    .bind(row.id, row.name, row.start, row.keyHash, JSON.stringify(permissions), '[]', row.createdAt.getTime())
    .run()
  return shown
}

const signUp = (email: string) =>
  fetch(`${server.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ ...alice, email }),
  })

beforeAll(async () => {
  server = await startServer({ beside: [{ configPath: './worker/testing/neighbour/wrangler.toml' }] })
  client = serverClient({ url: server.url, key: await keyWith(serverPermissionNames) })
  userId = ((await (await signUp(alice.email)).json()) as { user: { id: string } }).user.id
})
afterAll(() => server?.close())

const result = <T>(answer: { ok: true; result: T } | { ok: false; code: string }): T => {
  if (!answer.ok) throw new Error(answer.code)
  return answer.result
}

describe('gatehouse-auth/server, over HTTP from Node', () => {
  it('reads, writes, and returns dates and refusals as the binding does', async () => {
    const user = result(await client.getUser({ userId }))
    expect(user).toMatchObject({ id: userId, email: alice.email, createdAt: expect.any(Date) })
    const banned = result(await client.banUser({ userId, reason: 'spam', expiresIn: 3600 }))
    expect(banned).toMatchObject({ banned: true, banExpires: expect.any(Date) })
    expect(result(await client.unbanUser({ userId }))).toMatchObject({ banned: false })
    expect(await client.getUser({ userId: 'none' })).toEqual({
      ok: false,
      code: 'USER_NOT_FOUND',
      message: 'User not found',
    })
    const log = result(await client.listAudit({ userId }))
    expect(log.entries[0]).toMatchObject({ action: 'unban-user', createdAt: expect.any(Date) })
  })

  it('getSession: of the request of a browser, with Dates; null for a visitor', async () => {
    const signedIn = await fetch(`${server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify(alice),
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const session = await client.getSession(new Headers({ cookie }))
    expect(session).toMatchObject({ user: { id: userId }, session: { expiresAt: expect.any(Date) } })
    expect(await client.getSession({})).toBeNull()
  })

  it('a repeated write with the same Idempotency-Key runs once', async () => {
    const once = client.withIdempotencyKey('webhook-17')
    const first = result(await once.createApiKey({ userId, name: 'deploy' }))
    const second = result(await once.createApiKey({ userId, name: 'deploy' }))
    expect(second).toEqual(first)
    expect(result(await client.listApiKeys({ userId })).keys).toHaveLength(1)
    expect(await once.createApiKey({ userId, name: 'other' })).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    expect(await client.verifyApiKey({ key: first.key })).toMatchObject({ valid: true })
  })

  it('a key without the permission, and a key of another deployment', async () => {
    const limited = serverClient({ url: server.url, key: await keyWith(['billing:read']) })
    expect(await limited.getUser({ userId })).toMatchObject({
      ok: false,
      code: 'SERVER_KEY_PERMISSION_MISSING',
      details: { permission: 'users:read' },
    })
    await expect(limited.getSession({})).rejects.toMatchObject({ code: 'SERVER_KEY_PERMISSION_MISSING', status: 403 })
    const { shown } = makeServerKey({ name: 'elsewhere', permissions: ['users:read'] }, null, new Date())
    const foreign = serverClient({ url: server.url, key: shown })
    expect(await foreign.getUser({ userId })).toMatchObject({ ok: false, code: 'INVALID_SERVER_KEY' })
  })
})

describe('gatehouse-auth/server, over the binding of another Worker', () => {
  it('has the same methods and answers', async () => {
    const overHttp = await client.getUser({ userId })
    const overBinding = await server.neighbour('client/getUser', { userId })
    expect(overBinding).toEqual(JSON.parse(JSON.stringify(overHttp)))
    expect(await server.neighbour('client/getUser', { userId: 'none' })).toMatchObject({ code: 'USER_NOT_FOUND' })
    expect(await server.neighbour('client/getSession', {})).toBeNull()
  })

  it('refuses with the same details', async () => {
    const input = { userId, expiresIn: 'soon' }
    const refusal = await client.banUser(input as never)
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path: 'expiresIn' }] } })
    expect(await server.neighbour('client/banUser', input)).toEqual(refusal)
  })
})
