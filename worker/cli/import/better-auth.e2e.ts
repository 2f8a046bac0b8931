import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { promisify } from 'node:util'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db'
import { apiKey, oidcProvider, organization, twoFactor } from 'better-auth/plugins'
import { passkey } from 'better-auth/plugins/passkey'
import { SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { SoftwareAuthenticator } from '../../testing/passkeys.ts'
import { alice, bob } from '../../testing/people.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

const oldSecret = 'the-secret-of-the-old-deployment-0123456789'
const newSecret = 'test-secret-0123456789-0123456789-ab'
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-move-'))
const file = join(folder, 'better-auth.sqlite')
const sql = join(folder, 'import.sql')
const root = join(import.meta.dirname, '../../..')

/** Node's SQLite with the methods that kysely requires of a driver. */
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

/** The published server with a separate database. */
const published = betterAuth({
  database: { dialect: new SqliteDialect({ database: driver(new DatabaseSync(file)) as never }), type: 'sqlite' },
  secret: oldSecret,
  baseURL: 'http://localhost:3000',
  emailAndPassword: { enabled: true },
  plugins: [
    twoFactor(),
    organization({ teams: { enabled: true } }),
    apiKey({ enableMetadata: true }),
    oidcProvider({ loginPage: '/sign-in', consentPage: '/consent' }),
    passkey({ rpID: 'localhost', origin: 'http://localhost:3000' }),
  ],
})

/** A browser with one cookie jar for the old server and for ours. */
class Browser {
  readonly jar = new Map<string, string>()
  async call(fetcher: (request: Request) => Promise<Response>, origin: string, path: string, body?: object) {
    const headers = new Headers({ origin, 'content-type': 'application/json' })
    if (this.jar.size > 0) headers.set('cookie', [...this.jar].map((pair) => pair.join('=')).join('; '))
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await fetcher(new Request(`${origin}/api/auth${path}`, { ...init, headers, redirect: 'manual' }))
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0/i.test(line)) this.jar.delete(name!)
      else this.jar.set(name!, value!)
    }
    const read = (await answer.json().catch(() => null)) as any
    // A script receives the target in the body, a browser in the Location header.
    return { status: answer.status, location: answer.headers.get('location') ?? read?.url, body: read }
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
const old = new SoftwareAuthenticator({ origin: 'http://localhost:3000' })
const keys: { key: string; id: string }[] = []

/** An application that signs in its users at the provider. */
const client = {} as { client_id: string; client_secret: string }
const redirectUri = 'https://application.example/callback'
const verifier = 'v'.repeat(43)
const authorization = (more: object) =>
  `/oauth2/authorize?${new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })}`

/** The token endpoint, called as an application does: form-encoded and without a browser. */
async function token(at: (request: Request) => Promise<Response>, origin: string, grant: Record<string, string>) {
  const { client_id, client_secret } = client
  const body = new URLSearchParams({ client_id, client_secret, redirect_uri: redirectUri, ...grant })
  const answer = await at(new Request(`${origin}/api/auth/oauth2/token`, { method: 'POST', body }))
  return { status: answer.status, body: (await answer.json()) as any }
}
const tokens = {} as { access_token: string; refresh_token: string }

async function makeKeys(): Promise<void> {
  const { user } = (await browsers.alice.old('/get-session')).body
  const limits = { remaining: 2, refillAmount: 5, refillInterval: 1, rateLimitMax: 3, rateLimitTimeWindow: 60_000 }
  const rights = { permissions: { files: ['read'] }, metadata: { team: 'red' }, expiresIn: 86_400 * 30 }
  const make = (body: object) => published.api.createApiKey({ body: { userId: user.id, ...body } })
  keys.push(await make({ name: 'deploy', prefix: 'acme_', ...limits, ...rights }))
  keys.push(await make({ rateLimitMax: 2 }), await make({ remaining: 1 }))
  // Its only use: it can never be used again.
  for (const { key } of keys.slice(1)) await published.api.verifyApiKey({ body: { key } })
}

async function makeClient(): Promise<void> {
  const registration = { redirect_uris: [redirectUri], client_name: 'Reports', metadata: { of: 'acme' } }
  Object.assign(client, (await browsers.alice.old('/oauth2/register', registration)).body)
  const asked = await browsers.alice.old(authorization({ scope: 'openid email offline_access', prompt: 'consent' }))
  const consent_code = new URL(asked.location, 'http://localhost:3000').searchParams.get('consent_code')
  const agreed = await browsers.alice.old('/oauth2/consent', { accept: true, consent_code })
  const code = new URL(agreed.body.redirectURI).searchParams.get('code')!
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier }
  const answer = await token((request) => published.handler(request), 'http://localhost:3000', grant)
  expect(answer.status).toBe(200)
  Object.assign(tokens, answer.body)
}

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
  const organized = await browsers.alice.old('/organization/create', { name: 'Acme', slug: 'acme' })
  expect(organized.status).toBe(200)
  const invited = { organizationId: organized.body.id, email: 'carol@example.com', role: 'member' }
  expect((await browsers.alice.old('/organization/invite-member', invited)).status).toBe(200)

  const made = await browsers.alice.old('/passkey/generate-register-options')
  const response = old.register(made.body)
  expect((await browsers.alice.old('/passkey/verify-registration', { response, name: 'Laptop' })).status).toBe(200)
  await makeKeys()
  await makeClient()

  server = await startServer({
    config: printedConfig(),
    vars: { GATEHOUSE_PREVIOUS_SECRETS: oldSecret },
    beside: [{ configPath: './worker/testing/neighbour/wrangler.toml' }],
  })
  const { stdout } = await gatehouse(['import', 'better-auth', file, '--sql', sql])
  expect(stdout).toContain('users           2')
})

afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The effect of `wrangler d1 execute --file` on the file. */
async function apply() {
  const database = await server.database()
  const statements = readFileSync(sql, 'utf8')
    .split(/;\n/)
    .filter((text) => text.trim() !== '')
  await database.batch(statements.map((text) => database.prepare(text)))
}

const dump = async () => {
  const database = await server.database()
  const tables = ['users', 'accounts', 'sessions', 'two_factors', 'passkeys']
  tables.push('organizations', 'teams', 'members', 'invitations')
  tables.push('api_keys', 'oauth_applications', 'oauth_consents', 'oauth_access_tokens')
  return Promise.all(
    tables.map(async (table) => (await database.prepare(`select * from ${table} order by id`).all()).results),
  )
}

describe('a better-auth deployment that moves', () => {
  it('is imported, and a second run changes nothing', async () => {
    await apply()
    const once = await dump()
    expect(once.map((rows) => rows.length)).toEqual([2, 2, 2, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1])
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

  it('keeps its passkeys', async () => {
    const browser = new Browser()
    const { body: options } = await browser.here('/passkey/generate-authenticate-options', {})
    // The host is the same; the port of the test is not.
    const response = old.assert(options, { origin: server.url })
    expect((await browser.here('/passkey/verify-authentication', { response })).status).toBe(200)
    expect((await browser.here('/get-session')).body.user.email).toBe(alice.email)
  })

  it('keeps its API keys, with their quota, limit, permissions and expiry', async () => {
    const [deploy, limited, spent] = keys.map(({ key }) => key)
    const verify = (key: string | undefined, permissions?: object) =>
      server.neighbour('verifyApiKey', { key, ...(permissions && { permissions }) }) as Promise<any>
    expect(await verify(deploy, { files: ['delete'] })).toMatchObject({ error: { code: 'KEY_NOT_FOUND' } })
    const { valid, key } = await verify(deploy, { files: ['read'] })
    expect(valid).toBe(true)
    expect(key).toMatchObject({ id: keys[0]!.id, name: 'deploy', prefix: 'acme_', start: deploy!.slice(0, 6) })
    expect(key).toMatchObject({ remaining: 1, refillAmount: 5, refillInterval: 1, requestCount: 1, rateLimitMax: 3 })
    expect(key).toMatchObject({ permissions: { files: ['read'] }, metadata: { team: 'red' } })
    expect(new Date(key.expiresAt).getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect({ valid: (await verify(deploy)).valid, code: (await verify(deploy)).error.code }).toEqual({
      valid: true,
      code: 'USAGE_EXCEEDED',
    })
    expect({ valid: (await verify(limited)).valid, code: (await verify(limited)).error.code }).toEqual({
      valid: true,
      code: 'RATE_LIMITED',
    })
    expect((await verify(spent)).error.code).toBe('USAGE_EXCEEDED')
    expect((await verify('x'.repeat(64))).error.code).toBe('INVALID_API_KEY')
  })

  it('keeps its OAuth clients: existing consents are not asked for again, and the secret is the same', async () => {
    const { location } = await browsers.alice.here(authorization({ scope: 'openid email' }))
    const code = new URL(location).searchParams.get('code')!
    expect(location).toMatch(/^https:\/\/application\.example\/callback\?/)
    const grant = { grant_type: 'authorization_code', code, code_verifier: verifier }
    const answer = await token(fetch, server.url, grant)
    expect(answer).toMatchObject({ status: 200, body: { scope: 'openid email' } })
    expect((await token(fetch, server.url, { ...grant, client_secret: 'another-secret-than-theirs' })).status).toBe(401)
    const more = await browsers.alice.here(authorization({ scope: 'openid profile' }))
    expect(more.location).toContain('/consent?')
    const { body } = await browsers.alice.here('/oauth2/connections')
    expect(body).toEqual([expect.objectContaining({ name: 'Reports' })])
  })

  it('keeps the tokens of its clients', async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const told = await fetch(`${server.url}/api/auth/oauth2/userinfo`, { headers })
    expect({ status: told.status, body: await told.json() }).toEqual({
      status: 200,
      body: expect.objectContaining({ email: alice.email }),
    })
    const grant = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const answer = await token(fetch, server.url, grant)
    expect(answer).toMatchObject({ status: 200, body: { scope: 'openid email offline_access' } })
    expect(answer.body.refresh_token).not.toBe(tokens.refresh_token)
  })

  it('signs old cookies out permanently: a second run does not restore their sessions', async () => {
    expect((await browsers.alice.here('/sign-out', {})).status).toBe(200)
    const before = await dump()
    await apply()
    expect(await dump()).toEqual(before)
  })
})
