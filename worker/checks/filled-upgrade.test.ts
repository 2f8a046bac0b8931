import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env as bindings } from 'cloudflare:workers'
import { Buffer } from 'node:buffer'
import { createPrivateKey, type JsonWebKeyInput } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { verify } from '../testing/api-keys.ts'
import { codeOf } from '../testing/authenticator.ts'
import { withBilling } from '../testing/billing.ts'
import filled from '../testing/filled-0.2.0.json' with { type: 'json' }
import { type Device, env, outcome, TestApp } from '../testing/harness.ts'
import { authorizationRequest, authorize, basic, postForm } from '../testing/oauth.ts'
import { OAuthProvider } from '../testing/outside/oauth-provider.ts'
import { google } from '../testing/outside/social/google.ts'
import { walk } from '../testing/outside/walk.ts'
import { webhookSecret } from '../testing/outside/webhook-receiver.ts'
import { SoftwareAuthenticator, signInWithPasskey } from '../testing/passkeys.ts'
import { alice, bob } from '../testing/people.ts'
import released from '../testing/released-migrations.json' with { type: 'json' }

/**
 * A database that the Worker of 0.2.0 has filled through its endpoints, with what it gave to browsers, clients and keys
 * (testing/filled-0.2.0.json). Each table has a row, and each row keeps its meaning.
 */

const { TEST_MIGRATIONS: all } = bindings as unknown as { TEST_MIGRATIONS: D1Migration[] }
const of02 = all.slice(0, Object.keys({ ...released['0.1.0'], ...released['0.2.0'] }).length)
const { known, rows } = filled
type Value = string | number | null | { base64: string }
const before = rows as Record<string, Record<string, Value>[]>

const tablesOf = async () => {
  const { results } = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'sqlite_*' and name not glob 'd1_*'`,
  ).all<{ name: string }>()
  return results.map(({ name }) => name).sort()
}

const stored = (value: Value) =>
  value !== null && typeof value === 'object' ? new Uint8Array(Buffer.from(value.base64, 'base64')) : value

/** In one batch, at whose end the foreign keys hold. */
async function load(): Promise<void> {
  const insert = (table: string, row: Record<string, Value>) =>
    env.DB.prepare(
      `insert or replace into "${table}" (${Object.keys(row).join(', ')}) values (${Object.keys(row).map(() => '?')})`,
    ).bind(...Object.values(row).map(stored))
  // Triggers count users, so the count comes last.
  const tables = Object.keys(before).sort((a, b) => Number(a === 'table_counts') - Number(b === 'table_counts'))
  await env.DB.batch([
    env.DB.prepare('pragma defer_foreign_keys = on'),
    ...tables.flatMap((table) => before[table]!.map((row) => insert(table, row))),
  ])
}

const config = {
  ...withBilling({ onSignUp: 'outbox', onUsage: 'outbox' }),
  user: { additionalFields: { plan: { type: 'string', required: false } }, changeEmail: { enabled: true } },
  session: { additionalFields: { device: { type: 'string', required: false } } },
  socialProviders: { google: { clientId: google.clientId, clientSecret: google.clientSecret } },
  webhooks: {
    endpoints: [{ name: 'crm', url: 'https://crm.example.com/hook', events: ['*'], secrets: ['WEBHOOK_SECRET_ACME'] }],
  },
  apiKey: { enableMetadata: true },
  organization: { teams: { enabled: true } },
} as never

let app: TestApp
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: known.at })
  await reset()
  await applyD1Migrations(env.DB, of02)
  await load()
  await applyD1Migrations(env.DB, all)
  // Ten minutes after the last request to the previous Worker.
  vi.setSystemTime(known.at + 600_000)
  outside(503)
  app = new TestApp(config, { WEBHOOK_SECRET_ACME: webhookSecret('a') } as object)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Other services answer with a status. @returns the hosts that were asked */
function outside(status: number): Set<string> {
  const hosts = new Set<string>()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    hosts.add(new URL(new Request(input, init).url).host)
    return new Response(null, { status })
  })
  return hosts
}

/** A browser with the cookies that it had. */
function browser(cookies: Record<string, string | undefined>): Device {
  const device = app.device()
  for (const [name, value] of Object.entries(cookies)) if (value !== undefined) device.jar.set(name, value)
  return device
}
const idOf = (email: string) => before.users!.find((row) => row.email === email)!.id as string
const signIn = ({ email, password }: typeof alice) => app.device().post('/sign-in/email', { email, password })

it('has a row in each table of 0.2.0', async () => {
  await reset()
  await applyD1Migrations(env.DB, of02)
  const tables = await tablesOf()
  expect(tables.filter((table) => !before[table]?.length)).toEqual([])
  expect(Object.keys(before).sort()).toEqual(tables)
})

/** Tables whose rows have another place since 0.3.0: its table, and the id there. */
const moved: Record<string, [table: string, id: (row: Record<string, Value>) => unknown]> = {
  admin_audit: ['audit_records', ({ id }) => id],
  tasks: ['jobs', ({ id }) => id],
  webhook_deliveries: ['jobs', ({ id }) => id],
  billing_webhooks: ['jobs', ({ id }) => `billing-inbox:${id}`],
  billing_usage_events: ['jobs', ({ id }) => `billing-usage:${id}`],
}

/** Columns that a migration changes on purpose: a client with refresh tokens gets the grant for them. */
const changed: Record<string, Record<string, unknown>> = {
  oauth_applications: { registration: expect.stringContaining('"refresh_token"') },
}

it('has the same rows afterwards, in the same tables or in those of 0.3.0', async () => {
  for (const [table, [place, idThere]] of Object.entries(moved)) {
    const { results } = await env.DB.prepare(`select id from ${place}`).all<{ id: string }>()
    const ids = results.map(({ id }) => id)
    expect({ table, ids }).toEqual({ table, ids: expect.arrayContaining(before[table]!.map(idThere)) })
  }
  for (const table of Object.keys(before).filter((name) => !moved[name])) {
    const { results } = await env.DB.prepare(`select * from "${table}"`).all<Record<string, unknown>>()
    const now = results.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          Array.isArray(value) ? { base64: Buffer.from(value).toString('base64') } : value,
        ]),
      ),
    )
    expect({ table, rows: now }).toEqual({
      table,
      rows: expect.arrayContaining(before[table]!.map((row) => expect.objectContaining({ ...row, ...changed[table] }))),
    })
  }
})

describe('users', () => {
  it('sign in with the old password, and have their fields, picture, number, language and role', async () => {
    const { status, body } = await signIn(alice)
    expect({ status, id: body.user.id }).toEqual({ status: 200, id: idOf(alice.email) })
    const device = browser(known.alice)
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({
      ...{ email: alice.email, emailVerified: true, plan: 'pro', displayUsername: 'Alice_A', role: 'user' },
      ...{ phoneNumber: '+15550001111', phoneNumberVerified: true },
    })
    const picture = await app.device().get(new URL(user.image).pathname)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const username = { username: 'alice_a', password: alice.password }
    expect((await app.device().post('/sign-in/username', username)).status).toBe(200)
  })

  it('continue their sessions, guests too, and end them', async () => {
    for (const [cookies, email] of [
      [known.alice, alice.email],
      [known.bob, bob.email],
      [known.google, 'octo@example.com'],
    ] as const) {
      expect((await browser(cookies).get('/get-session')).body.user.email).toBe(email)
    }
    expect((await browser(known.guest).get('/get-session')).body.user.isAnonymous).toBe(true)
    expect((await browser(known.alice).get('/list-sessions')).body).toHaveLength(1)
    expect((await browser(known.bob).get('/list-sessions')).body).toHaveLength(2)
    await browser(known.alice).post('/revoke-sessions')
    expect((await browser(known.alice).get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
  })

  it('sign in with the passkey', async () => {
    const { credentialId, counter, privateKey } = known.passkey
    const signer = createPrivateKey({ key: privateKey, format: 'jwk' } as JsonWebKeyInput)
    const forged = { signer, credentialId, counter: counter + 1 }
    const answer = await signInWithPasskey(app.device(), new SoftwareAuthenticator(), forged)
    expect(answer.status).toBe(200)
    expect(answer.body.user?.id ?? answer.body.session?.userId).toBe(idOf(alice.email))
    expect((await browser(known.alice).get('/passkey/list-user-passkeys')).body).toMatchObject([{ name: 'Laptop' }])
  })

  it('are asked for the second factor, which their app and their backup codes give, and not on the trusted device', async () => {
    const challenged = app.device()
    const asked = await challenged.post('/sign-in/email', { email: bob.email, password: bob.password })
    expect(asked.body.twoFactorRedirect).toBe(true)
    const code = await codeOf(known.totpURI)
    expect((await challenged.post('/two-factor/verify-totp', { code })).status).toBe(200)
    const second = app.device()
    await second.post('/sign-in/email', { email: bob.email, password: bob.password })
    expect((await second.post('/two-factor/verify-backup-code', { code: known.backupCodes[0] })).status).toBe(200)
    const trusted = browser(known.bobTrusted)
    const answer = await trusted.post('/sign-in/email', { email: bob.email, password: bob.password })
    expect([answer.status, answer.body.twoFactorRedirect]).toEqual([200, undefined])
  })

  it('sign in with the provider, whose tokens are readable', async () => {
    const provider = new OAuthProvider(google).install()
    const choice = { providerId: 'google', accountId: '4242' }
    const { body } = await browser(known.google).post('/get-access-token', choice)
    expect(body.accessToken).toMatch(/^google-access-/)
    const device = app.device()
    await walk(device, provider)
    expect((await device.get('/get-session')).body.user.id).toBe(idOf('octo@example.com'))
  })

  it('who are banned stay banned, with the reason', async () => {
    const refused = await signIn({ name: 'Eve', email: 'eve@example.com', password: 'password-of-eve' })
    expect(outcome(refused)).toEqual({ status: 403, code: 'BANNED_USER' })
  })
})

it('organizations keep members, roles, teams and the pending invitation, which its address accepts', async () => {
  const owner = browser(known.alice)
  const organization = (await owner.get('/organization/get-full-organization')).body
  expect(organization).toMatchObject({ name: 'Acme', slug: 'acme', metadata: { size: 3 } })
  const roles = organization.members.map(({ userId, role }: { userId: string; role: string }) => [userId, role])
  expect(roles.sort()).toEqual(
    [
      [idOf(alice.email), 'owner'],
      [idOf(bob.email), 'admin'],
    ].sort(),
  )
  const teams = (await owner.get('/organization/list-teams')).body
  const builders = teams.find(({ name }: { name: string }) => name === 'Builders')
  const query = { teamId: builders.id }
  const members = (await owner.get('/organization/list-team-members', { query })).body
  expect(members.map(({ userId }: { userId: string }) => userId)).toEqual([idOf(bob.email)])
  const carol = app.device()
  await carol.post('/sign-up/email', { name: 'Carol', email: 'carol@example.com', password: 'password-of-carol' })
  await carol.get(await app.linkTo('carol@example.com'))
  const accepted = await carol.post('/organization/accept-invitation', { invitationId: known.invitation })
  expect(accepted.status).toBe(200)
  expect(accepted.body.member).toMatchObject({ role: 'member', organizationId: organization.id })
})

it('API keys verify, of the user and of the organization', async () => {
  expect(await verify(app, known.key)).toMatchObject({
    code: 'valid',
    key: { name: 'deploy', metadata: { team: 'a' } },
  })
  expect(await verify(app, known.organizationKey)).toMatchObject({ code: 'valid' })
  const withKey = { headers: { 'x-api-key': known.key, origin: '' } }
  expect((await app.device().get('/get-session', withKey)).body.user.email).toBe(alice.email)
})

it('clients keep secret, consent and tokens, and the tokens that services verify keep their key', async () => {
  const client = { client_id: known.client.id, client_secret: known.client.secret }
  const refreshed = await postForm(
    app,
    '/oauth2/token',
    { grant_type: 'refresh_token', refresh_token: known.tokens.refresh_token },
    basic(client),
  )
  expect(refreshed.status).toBe(200)
  const authorization = { authorization: `Bearer ${refreshed.body.access_token}` }
  expect((await app.device().get('/oauth2/userinfo', { headers: authorization })).body.email).toBe(alice.email)
  // The consent of then: no question.
  const request = authorizationRequest(client, { scope: 'openid profile email' })
  expect((await authorize(browser(known.alice), request)).searchParams.has('code')).toBe(true)
  const kids = (await app.device().get('/jwks')).body.keys.map(({ kid }: { kid: string }) => kid)
  for (const token of [known.jwt, known.tokens.id_token]) {
    const [head] = token.split('.')
    expect(kids).toContain(JSON.parse(Buffer.from(head!, 'base64url').toString()).kid)
  }
})

it('what was bought stays bought, and a known webhook of the provider has no second effect', async () => {
  const { body } = await browser(known.alice).get('/customer/state')
  expect(body.activeSubscriptions).toHaveLength(1)
  const rows = await env.DB.prepare(`select state from jobs where id like 'billing-inbox:%'`).all()
  expect(rows.results).toEqual(before.billing_webhooks!.map(() => ({ state: 'done' })))
})

it('the change of an address waits for its link, the audit log names the ban, and what waited is sent', async () => {
  const { results: changes } = await env.DB.prepare('select new_email from address_changes').all()
  expect(changes).toEqual([{ new_email: 'alice.new@example.com' }])
  const { results: records } = await env.DB.prepare(
    'select action, actor_id, subject_id from audit_records where actor_id is not null',
  ).all()
  expect(records).toContainEqual({
    action: 'ban-user',
    actor_id: idOf('root@example.com'),
    subject_id: idOf('eve@example.com'),
  })
  const asked = outside(204)
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  await app.runScheduled()
  expect(asked).toEqual(new Set(['billing.test', 'crm.example.com']))
  const mails = await app.mailbox()
  expect(mails.filter(({ to }) => to === alice.email).length).toBeGreaterThan(0)
})
