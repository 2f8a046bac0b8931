import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alice } from './testing/people.ts'
import { startServer, type TestServer } from './testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ beside: [{ configPath: './worker/testing/neighbour/wrangler.toml' }] })
})
afterAll(() => server?.close())

const post = (path: string, body: object) =>
  fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(body),
  })

describe('the server API, from another Worker over a service binding', () => {
  it('set-password: refuses with code and message what the rules refuse', async () => {
    const { user } = (await (await post('/sign-up/email', alice)).json()) as { user: { id: string } }
    expect(await server.neighbour('setPassword', { userId: user.id, newPassword: 'short' })).toEqual({
      ok: false,
      code: 'PASSWORD_TOO_SHORT',
      message: 'Password too short',
    })
    expect(await server.neighbour('setPassword', { userId: user.id, newPassword: 'long-enough' })).toMatchObject({
      ok: false,
      code: 'USER_ALREADY_HAS_A_PASSWORD',
    })
    expect(await server.neighbour('setPassword', { userId: 'nobody', newPassword: 'long-enough' })).toMatchObject({
      ok: false,
      code: 'USER_NOT_FOUND',
    })
  })

  it('set-role, ban-user and list-audit: how a first administrator is made, and what is written about it', async () => {
    const person = { ...alice, email: 'first@example.com' }
    const { user } = (await (await post('/sign-up/email', person)).json()) as { user: { id: string } }
    const userId = user.id
    expect(await server.neighbour('setRole', { userId, role: 'wizard' })).toMatchObject({
      ok: false,
      code: 'ROLE_NOT_FOUND',
    })
    expect(await server.neighbour('setRole', { userId, role: ['user', 'admin'] })).toMatchObject({
      ok: true,
      result: { id: userId, role: 'user,admin' },
    })
    expect(await server.neighbour('setRole', { userId, role: 'user' })).toMatchObject({
      ok: false,
      code: 'THE_LAST_ADMINISTRATOR_MUST_REMAIN',
    })
    const { user: other } = (await (await post('/sign-up/email', { ...alice, email: 'bad@example.com' })).json()) as {
      user: { id: string }
    }
    expect(await server.neighbour('banUser', { userId: other.id, reason: 'spam', expiresIn: 60 })).toMatchObject({
      ok: true,
      result: { banned: true, banReason: 'spam' },
    })
    const log = await server.neighbour('listAudit', { limit: 1 })
    expect(log).toMatchObject({
      ok: true,
      result: { entries: [{ action: 'ban-user', actorId: null, subjectId: other.id }], nextCursor: expect.any(String) },
    })
  })

  it('none of it is to be had over HTTP', async () => {
    for (const path of ['/set-password', '/setPassword', '/rpc/setPassword']) {
      expect((await post(path, { newPassword: 'long-enough' })).status).toBe(404)
    }
  })
})

describe('the running Worker', () => {
  it('purges what has expired when the cron trigger fires', async () => {
    await server.scheduled()
    expect((await fetch(`${server.url}/api/auth/ok`)).status).toBe(200)
  })

  it('shows the mailbox in development', async () => {
    const [mail] = await server.mailbox()
    expect(Object.keys(mail!).sort()).toEqual(
      ['channel', 'codes', 'html', 'id', 'links', 'sentAt', 'subject', 'text', 'to'].sort(),
    )
    const page = await fetch(`${server.url}/dev/mailbox`)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain(alice.email)
  })

  it('answers the app for its screens, and never for the API', async () => {
    const screen = await fetch(`${server.url}/sign-in`)
    expect(await screen.text()).toContain('<div id="app">')
    const api = await fetch(`${server.url}/api/nothing`)
    expect([api.status, await api.json()]).toEqual([404, { code: 'NOT_FOUND', message: 'Not Found' }])
  })
})

describe('in production', () => {
  it('refuses to start with what is for development only, and says which', async () => {
    const refused = await startServer({
      vars: { ENVIRONMENT: 'production', BASE_URL: 'https://accounts.example.com', RATE_LIMIT: 'off', CONFIG: '' },
    })
      .then((started) => started.close())
      .catch((error: Error) => error.message)
    expect(refused).toContain('RATE_LIMIT')
  })
})
