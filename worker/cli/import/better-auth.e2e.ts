import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { promisify } from 'node:util'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db'
import { organization, twoFactor } from 'better-auth/plugins'
import { SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '../../read-config.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { alice, bob } from '../../testing/people.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

const oldSecret = 'the-secret-of-the-old-deployment-0123456789'
const newSecret = 'test-secret-0123456789-0123456789-ab'
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-move-'))
const file = join(folder, 'better-auth.sqlite')
const sql = join(folder, 'import.sql')
const root = join(import.meta.dirname, '../../..')

/** Node's SQLite with the few methods that kysely asks of a driver. */
function driver(database: DatabaseSync) {
  return {
    close: () => database.close(),
    prepare(text: string) {
      const statement = database.prepare(text)
      const reader = /^\s*(select|pragma|with)|\breturning\b/i.test(text)
      const given = (values: readonly unknown[]) => values as SQLInputValue[]
      return {
        reader,
        all: (values: readonly unknown[]) => statement.all(...given(values)),
        run: (values: readonly unknown[]) => statement.run(...given(values)),
        iterate: (values: readonly unknown[]) => statement.iterate(...given(values)),
      }
    },
  }
}

/** The published server, with a database of its own. */
const published = betterAuth({
  database: { dialect: new SqliteDialect({ database: driver(new DatabaseSync(file)) as never }), type: 'sqlite' },
  secret: oldSecret,
  baseURL: 'http://localhost:3000',
  emailAndPassword: { enabled: true },
  plugins: [twoFactor(), organization()],
})

/** A browser with one cookie jar, at the old server and at ours. */
class Browser {
  readonly jar = new Map<string, string>()
  async call(fetcher: (request: Request) => Promise<Response>, origin: string, path: string, body?: object) {
    const headers = new Headers({ origin, 'content-type': 'application/json' })
    if (this.jar.size > 0) headers.set('cookie', [...this.jar].map((pair) => pair.join('=')).join('; '))
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await fetcher(new Request(`${origin}/api/auth${path}`, { ...init, headers }))
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0/i.test(line)) this.jar.delete(name!)
      else this.jar.set(name!, value!)
    }
    return { status: answer.status, body: (await answer.json().catch(() => null)) as any }
  }
  old = (path: string, body?: object) =>
    this.call((request) => published.handler(request), 'http://localhost:3000', path, body)
  here = (path: string, body?: object) => this.call(fetch, server.url, path, body)
}

const gatehouse = async (args: string[]) => {
  const env = { ...process.env, GATEHOUSE_SECRET: newSecret, BETTER_AUTH_SECRET: oldSecret }
  return promisify(execFile)(process.execPath, ['worker/cli/gatehouse.ts', ...args], { cwd: root, env })
}

/** The settings that the guide prints for the sessions. */
function printedConfig(): Config {
  const guide = readFileSync(join(root, 'worker/guides/move-in.md'), 'utf8')
  const [, prefix] = /```ts\ncookies: \{ prefix: '([a-z-]+)' \},\n```/.exec(guide)!
  return { cookies: { prefix: prefix! } }
}

let server: TestServer
const browsers = { alice: new Browser(), bob: new Browser() }
const totp = {} as { uri: string; backupCodes: string[] }

beforeAll(async () => {
  const { runMigrations } = await getMigrations(published.options)
  await runMigrations()
  for (const person of [alice, bob]) {
    const { status } = await browsers[person === alice ? 'alice' : 'bob'].old('/sign-up/email', person)
    expect(status).toBe(200)
  }
  const { totpURI, backupCodes } = (await browsers.bob.old('/two-factor/enable', { password: bob.password })).body
  Object.assign(totp, { uri: totpURI, backupCodes })
  expect((await browsers.bob.old('/two-factor/verify-totp', { code: await codeOf(totpURI) })).status).toBe(200)
  const made = await browsers.alice.old('/organization/create', { name: 'Acme', slug: 'acme' })
  expect(made.status).toBe(200)
  const invited = { organizationId: made.body.id, email: 'carol@example.com', role: 'member' }
  expect((await browsers.alice.old('/organization/invite-member', invited)).status).toBe(200)

  server = await startServer({
    config: printedConfig(),
    vars: { GATEHOUSE_PREVIOUS_SECRETS: oldSecret },
  })
  const { stdout } = await gatehouse(['import', 'better-auth', file, '--sql', sql])
  expect(stdout).toContain('users           2')
})

afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What `wrangler d1 execute --file` does with the file. */
async function apply() {
  const database = await server.database()
  const statements = readFileSync(sql, 'utf8')
    .split(/;\n/)
    .filter((text) => text.trim() !== '')
  await database.batch(statements.map((text) => database.prepare(text)))
}

const dump = async () => {
  const database = await server.database()
  const tables = ['users', 'accounts', 'sessions', 'two_factors', 'organizations', 'members', 'invitations']
  return Promise.all(
    tables.map(async (table) => (await database.prepare(`select * from ${table} order by id`).all()).results),
  )
}

describe('a better-auth deployment that moves', () => {
  it('is imported, and a second run changes nothing', async () => {
    await apply()
    const once = await dump()
    expect(once.map((rows) => rows.length)).toEqual([2, 2, 2, 1, 1, 1, 1])
    await apply()
    expect(await dump()).toEqual(once)
  })

  it('keeps its sessions: the cookie of before is signed in', async () => {
    const { status, body } = await browsers.alice.here('/get-session')
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ email: alice.email, name: alice.name })
    expect((await browsers.bob.here('/list-sessions')).body).toHaveLength(1)
  })

  it('does not take a cookie that another secret signed', async () => {
    const stranger = new Browser()
    const [token] = decodeURIComponent(browsers.alice.jar.get('better-auth.session_token')!).split('.')
    stranger.jar.set('better-auth.session_token', encodeURIComponent(`${token}.${'A'.repeat(43)}=`))
    expect((await stranger.here('/get-session')).body).toBeNull()
  })

  it('keeps its organizations, members and invitations', async () => {
    const { body } = await browsers.alice.here('/organization/list')
    expect(body).toEqual([expect.objectContaining({ name: 'Acme', slug: 'acme' })])
    const full = await browsers.alice.here(`/organization/get-full-organization?organizationId=${body[0].id}`)
    expect(full.body.members).toEqual([expect.objectContaining({ role: 'owner' })])
    expect(full.body.invitations).toEqual([expect.objectContaining({ email: 'carol@example.com', status: 'pending' })])
  })

  it('keeps its passwords', async () => {
    const browser = new Browser()
    expect((await browser.here('/sign-in/email', { ...alice, password: 'not-hers-at-all' })).status).toBe(401)
    expect((await browser.here('/sign-in/email', alice)).status).toBe(200)
    expect((await browser.here('/get-session')).body.user.email).toBe(alice.email)
  })

  it('keeps its second factors: TOTP and backup codes', async () => {
    const browser = new Browser()
    expect((await browser.here('/sign-in/email', bob)).body).toEqual({ twoFactorRedirect: true })
    expect((await browser.here('/two-factor/verify-totp', { code: await codeOf(totp.uri) })).status).toBe(200)
    const other = new Browser()
    await other.here('/sign-in/email', bob)
    expect((await other.here('/two-factor/verify-backup-code', { code: totp.backupCodes[0] })).status).toBe(200)
  })

  it('signs old cookies out for good: a second run does not bring them back', async () => {
    expect((await browsers.alice.here('/sign-out', {})).status).toBe(200)
    const before = await dump()
    await apply()
    expect(await dump()).toEqual(before)
  })
})
