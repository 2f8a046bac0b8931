import { getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listChain } from '../../identity/audit-chain/list-chain.ts'
import { previousTables } from '../../identity/jobs/previous-version.ts'
import { restoredRows } from '../../identity/recovery/recovery.ts'
import type { RecoveryOrder } from '../../identity/recovery/recovery-job.ts'
import { readCheckpoint, type SignedCheckpoint } from '../../kit/audit-checkpoint.ts'
import { LogVerifier } from '../../kit/verify-audit-chain.ts'
import { administrator, root } from '../../testing/admins.ts'
import { serverKey } from '../../testing/api-keys.ts'
import { copyDatabase } from '../../testing/database-copy.ts'
import { env, outcome, TestApp } from '../../testing/harness.ts'
import { agree, authorizationRequest, codeOf, exchange, postForm, registerClient } from '../../testing/oauth.ts'
import { company, invite, someone } from '../../testing/organizations.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { count, rowOf, rowsOf } from '../../testing/rows.ts'
import { tablesOf } from '../../testing/schema.ts'
import { backEnd } from '../../testing/server-keys.ts'
import { verifyAddresses } from '../../testing/states.ts'
import { clientsWithRestoredSecret } from '../identity-provider/model/grants/restored.store.ts'
import { beginRecovery } from './begin-recovery.store.ts'

const config = { rateLimit: { enabled: false } }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

/** A restore to this time. */
async function copyNow() {
  const restore = await copyDatabase()
  const time = Date.now()
  pass(3600)
  return { time, restore }
}

/** The command line reads the outbox once; no request does. */
const begin = (restoredTo: number, keep: RecoveryOrder['keep'] = []) =>
  beginRecovery(drizzle(env.DB), { restoredTo, keep }, new Date())

/** The command, and the cron triggers of some minutes. */
async function recover(app: TestApp, restoredTo: number, keep: RecoveryOrder['keep'] = []) {
  const begun = await begin(restoredTo, keep)
  for (let minute = 0; minute < 5 && (await count('jobs', { kind: 'recover' })) > 0; minute++) await app.runEachMinute()
  return begun
}

const session = async (device: { get: (path: string) => Promise<{ body: any }> }) =>
  (await device.get('/get-session')).body?.user?.email ?? null

const result = async () => (await rowsOf('audit_records', { action: 'recover-deployment' })).map(({ after }) => after)

describe('gatehouse recover', () => {
  it('ends sessions that a restore has brought back, at once in all isolates', async () => {
    const app = new TestApp(config)
    const device = await signUp(app, alice)
    const { time, restore } = await copyNow()
    const stolen = app.device()
    for (const [name, value] of device.jar) stolen.jar.set(name, value)
    await device.post('/sign-out')
    // The feed of ended sessions keeps an entry for minutes.
    pass(1200)
    await restore()
    expect(await session(stolen)).toBe(alice.email)
    await recover(app, time)
    pass(5)
    expect(await session(stolen)).toBeNull()
    expect(await session(device)).toBeNull()
    expect(await count('sessions')).toBe(0)
    // Another isolate, with the session data cookie that the restored session got.
    const elsewhere = new TestApp(config).device()
    for (const [name, value] of stolen.jar) elsewhere.jar.set(name, value)
    expect(await session(elsewhere)).toBeNull()
  })

  it('ends used links', async () => {
    const app = new TestApp(config)
    await signUp(app, alice)
    await verifyAddresses()
    await app.device().post('/sign-in/magic-link', { email: alice.email, callbackURL: '/dash' })
    const link = await app.linkTo(alice.email)
    await app.clearMailbox()
    await app.device().post('/request-password-reset', { email: alice.email })
    const token = /reset-password\/(\w+)/.exec(await app.linkTo(alice.email))![1]!
    const { time, restore } = await copyNow()
    vi.setSystemTime(time + 60_000)
    expect(await session(await followed(app, link))).toBe(alice.email)
    const reset = { token, newPassword: 'a-new-password-1' }
    expect(outcome(await app.device().post('/reset-password', reset)).status).toBe(200)
    await restore()
    await recover(app, time)
    expect(await session(await followed(app, link))).toBeNull()
    expect(outcome(await app.device().post('/reset-password', reset))).toEqual({ status: 400, code: 'INVALID_TOKEN' })
    expect((await env.KV.list({ prefix: 'verification:' })).keys).toEqual([])
  })

  it('ends old passwords; the user chooses a new one by mail, and signs in', async () => {
    const app = new TestApp(config)
    const device = await signUp(app, alice)
    const { time, restore } = await copyNow()
    const change = { currentPassword: alice.password, newPassword: 'a-new-password-1' }
    expect((await device.post('/change-password', change)).status).toBe(200)
    await restore()
    await recover(app, time)
    const old = await app.device().post('/sign-in/email', alice)
    expect(outcome(old)).toEqual({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' })
    await app.clearMailbox()
    await app.device().post('/request-password-reset', { email: alice.email })
    const token = /reset-password\/(\w+)/.exec(await app.linkTo(alice.email))![1]!
    const chosen = { token, newPassword: 'a-new-password-2' }
    expect((await app.device().post('/reset-password', chosen)).status).toBe(200)
    expect(await session(await signIn(app, { ...alice, password: 'a-new-password-2' }))).toBe(alice.email)
  })

  it('ends keys: API keys are off until their owner enables them, server keys are deleted', async () => {
    const app = new TestApp(config)
    const device = await signUp(app, alice)
    const owner = (await device.get('/get-session')).body.user.id
    const { key, id } = await serverKey(app, { userId: owner }, { access: 'full' })
    const { call } = await backEnd(app)
    const program = app.device()
    program.headers['x-api-key'] = key
    expect(await session(program)).toBe(alice.email)
    const { time, restore } = await copyNow()
    await device.post('/api-key/delete', { keyId: id })
    await restore()
    expect((await call('listUsers')).status).toBe(200)
    await recover(app, time)
    pass(10)
    expect((await program.get('/get-session')).status).toBeGreaterThanOrEqual(400)
    expect((await call('listUsers')).status).toBe(401)
    expect(await rowOf('api_keys')).toMatchObject({ enabled: false })
  })

  it('keeps keys and passwords on request', async () => {
    const app = new TestApp(config)
    await signUp(app, alice)
    const { call } = await backEnd(app)
    const { time, restore } = await copyNow()
    await restore()
    await recover(app, time, ['keys', 'passwords'])
    expect((await call('listUsers')).status).toBe(200)
    expect(await session(await signIn(app, alice))).toBe(alice.email)
  })

  it('ends tokens and consents of applications', async () => {
    const app = new TestApp(config)
    const device = await signUp(app, alice)
    const client = await registerClient(device)
    const request = authorizationRequest(client, { scope: 'openid offline_access', prompt: 'consent' })
    const { body: tokens } = await exchange(app, client, codeOf(await agree(device, request)))
    const { time, restore } = await copyNow()
    await device.post('/oauth2/delete-connection', { clientId: client.client_id })
    await restore()
    // With its secret, the client learns about its tokens.
    await recover(app, time, ['keys'])
    const { client_id, client_secret } = client
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id, client_secret }
    expect(await postForm(app, '/oauth2/token', refresh)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    const authorization = `Bearer ${tokens.access_token}`
    expect((await app.device().get('/oauth2/userinfo', { headers: { authorization } })).status).toBe(401)
    expect(await count('oauth_consents')).toBe(0)
  })

  it('ends the secrets of clients that may have been replaced, and not those that cannot change', async () => {
    const app = new TestApp({ ...config, identityProvider: { allowDynamicClientRegistration: true } })
    const device = await signUp(app, alice)
    const { client_id: clientId, client_secret: old } = await registerClient(device)
    const visitor = await registerClient(app.device())
    const errorOf = async (client_id: string, client_secret: string) => {
      const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://app.example.com/cb' }
      return (await postForm(app, '/oauth2/token', { ...code, client_id, client_secret })).body.error
    }
    const rotate = async () => (await device.post('/oauth2/rotate-client-secret', { clientId })).body.clientSecret
    for (const keep of [[], ['keys']] as RecoveryOrder['keep'][]) {
      const { time, restore } = await copyNow()
      const replaced = keep.length > 0 ? old : await rotate()
      if (keep.length === 0) expect(await errorOf(clientId, old)).toBe('invalid_client')
      await restore()
      expect(await errorOf(clientId, old)).toBe('invalid_grant')
      expect(await clientsWithRestoredSecret(drizzle(env.DB), 10)).toEqual([{ clientId, name: expect.any(String) }])
      await recover(app, time, [...keep, 'passwords'])
      const after = keep.length > 0 ? 'invalid_grant' : 'invalid_client'
      expect([await errorOf(clientId, old), await errorOf(clientId, replaced)]).toEqual([after, after])
      expect(await errorOf(visitor.client_id, visitor.client_secret)).toBe('invalid_grant')
      await restore()
    }
    // The owner signs in and makes a new one.
    await recover(app, Date.now(), ['passwords'])
    const again = await signIn(app, alice)
    const made = (await again.post('/oauth2/rotate-client-secret', { clientId })).body.clientSecret
    expect([await errorOf(clientId, made), await errorOf(clientId, old)]).toEqual(['invalid_grant', 'invalid_client'])
  })

  it('ends the secret of a service, which has a new one before it continues', async () => {
    const app = new TestApp(config)
    const { device: boss } = await administrator(app)
    const api = 'https://notes.example.com'
    await boss.post('/admin/create-resource', {
      ...{
        identifier: api,
        name: 'Notes',
        scopes: { read: 'See notes' },
        accessTokenExpiresIn: null,
        introspectedBy: [],
      },
    })
    const { body } = await boss.post('/admin/create-service', { name: 'Importer', access: { [api]: ['read'] } })
    const { clientId } = body.service
    const { time, restore } = await copyNow()
    await restore()
    await recover(app, time, ['passwords'])
    const resumed = await signIn(app, root)
    const rotated = await resumed.post('/admin/rotate-service-secret', { clientId, overlap: 86_400 })
    expect((await resumed.post('/admin/update-service', { clientId, state: 'active' })).status).toBe(200)
    const ask = (client_secret: string) =>
      postForm(app, '/oauth2/token', {
        grant_type: 'client_credentials',
        resource: api,
        client_id: clientId,
        client_secret,
      })
    expect((await ask(body.clientSecret)).body.error).toBe('invalid_client')
    expect((await ask('ended')).body.error).toBe('invalid_client')
    expect((await ask(rotated.body.clientSecret)).status).toBe(200)
  })

  it('cancels invitations', async () => {
    const app = new TestApp(config)
    const at = await company(app, 'acme')
    const invited = await someone(app, 'Bert')
    const invitation = await invite(at, (await invited.device.get('/get-session')).body.user.email)
    const { time, restore } = await copyNow()
    await restore()
    await recover(app, time)
    expect(await rowsOf('invitations')).toMatchObject([{ status: 'canceled' }])
    expect(invitation).toBeTruthy()
  })

  it('repeats no mail and no webhook that was sent before the restore', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const receiver = new WebhookReceiver()
    installReceivers(receiver)
    const endpoints = [{ url: receiver.url, events: ['user.*'], secrets: ['WEBHOOK_SECRET_ACME'] }]
    const app = new TestApp(
      { ...config, webhooks: { endpoints } } as object,
      {
        WEBHOOK_SECRET_ACME: webhookSecret('a'),
      } as object,
    )
    const device = await signUp(app, alice)
    const at = await company(app, 'acme')
    await invite(at, bob.email)
    await device.post('/update-user', { name: 'Alicia' })
    // The state of the moment before both were sent.
    const past = await rowsOf('jobs')
    await env.DB.prepare(
      `insert into jobs (id, kind, payload, attempts, next_at, state, created_at)
        values ('m1', 'mail', '{"id":"m1","kind":"test","to":"eve@example.com","subject":"S","text":"T","html":"H","isAdmitted":true,"madeAt":1}', 0, 1, 'pending', ?1),
        ('w1', 'webhook/0', '{"type":"user.updated"}', 0, 1, 'pending', ?1), ('e1', 'ended-session', '{"id":"s1"}', 0, 1, 'pending', ?1)`,
    )
      .bind(Date.now())
      .run()
    expect(past.filter(({ state }) => state === 'pending')).toEqual([])
    const { time, restore } = await copyNow()
    await app.runScheduled()
    const sent = receiver.taken.length
    const mails = (await app.mailbox()).length
    await restore()
    const { givenUp } = await recover(app, time)
    expect(givenUp).toEqual([
      { kind: 'mail', count: 1 },
      { kind: 'webhook', count: 1 },
    ])
    await app.runScheduled()
    expect({ sent: receiver.taken.length, mails: (await app.mailbox()).length }).toEqual({ sent, mails })
    expect(await rowOf('jobs', { id: 'm1' })).toMatchObject({ state: 'failed' })
    expect(await rowOf('jobs', { id: 'e1' })).toBeNull()
    // A new mail is sent.
    await app.device().post('/sign-in/magic-link', { email: alice.email, callbackURL: '/dash' })
    expect((await app.mailbox()).length).toBe(mails + 1)
  })

  it('continues the audit log with a signed gap, which explains checkpoints of the lost time', async () => {
    await env.DB.prepare("delete from sqlite_sequence where name = 'audit_records'").run()
    const app = new TestApp(config)
    const at = await company(app, 'acme')
    const rename = (name: string) =>
      at.owner.device.post('/organization/update', { organizationId: at.id, data: { name } })
    await rename('One')
    await app.runScheduled()
    await rename('Two')
    const { time, restore } = await copyNow()
    await rename('Lost')
    await rename('Lost again')
    await app.runScheduled()
    const boss = await administrator(app)
    const lost = [
      (await readCheckpoint((await boss.device.get('/admin/audit-checkpoints')).body.current))!,
      (await readCheckpoint(
        (
          await at.owner.device.get('/organization/audit-checkpoints', { query: { organizationId: at.id } })
        ).body.current,
      ))!,
    ]
    pass(60)
    await restore()
    pass(60)
    await recover(app, time, ['passwords'])
    expect((await result()).map((values) => (values as { state: string }).state)).toEqual(['begun', 'done'])
    await app.runScheduled()
    const stored = await Promise.all(
      (await rowsOf('audit_checkpoints')).map(async ({ token }) => (await readCheckpoint(token))!),
    )
    const problems = async (checkpoints: SignedCheckpoint[]) => {
      const { scope, settle } = app.openScope()
      const verifier = new LogVerifier(Map.groupBy(checkpoints, ({ chain }) => chain))
      verifier.add(await listChain(scope, { organizationId: undefined, after: 0, limit: 500 }))
      await settle()
      return verifier.end().map(({ kind, chain }) => `${chain && 'organization '}${kind}`)
    }
    expect(await problems([...stored, ...lost])).toEqual([])
    // Without the gap, a number is missing; with one of another time, the checkpoints contradict.
    expect(await problems([])).toEqual(['missing'])
    const later = stored.map((one) => (one.gap ? { ...one, gap: { ...one.gap, since: new Date(time + 1e9) } } : one))
    expect(await problems([...later, ...lost])).not.toEqual([])
    // It names the last record before it.
    const gap = stored.find((one) => one.gap && one.chain === '')!
    expect((await rowsOf('audit_records')).findLast(({ seq }) => seq < gap.gap!.next)).toMatchObject({
      seq: gap.seq,
      hash: gap.hash,
    })
    // A record that is removed after the recovery is still found.
    await env.DB.prepare(
      'delete from audit_records where seq > 1000000 and seq = (select min(seq) from audit_records where seq > 1000000)',
    ).run()
    expect(await problems([...stored, ...lost])).toEqual(['missing'])
  })

  it('continues after an interruption, in small steps, and refuses a second command meanwhile', async () => {
    const app = new TestApp(config)
    await signUp(app, alice)
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 70000)
       insert into used_records (name, expires_at) select 'x' || i, 1 from n`,
    ).run()
    const user = (await rowOf('users'))!.id
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 70000)
       insert into sessions (id, user_id, token, expires_at, created_at, updated_at) select 's' || i, ?1, 't' || i, 9e12, 1, 1 from n`,
    )
      .bind(user)
      .run()
    expect((await begin(Date.now())).isBegun).toBe(true)
    expect((await begin(Date.now())).isBegun).toBe(false)
    await env.DB.prepare(
      "create trigger fails before delete on sessions when old.id = 's40000' begin select raise(abort, 'full'); end",
    ).run()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await app.runEachMinute()
    await app.runEachMinute()
    const left = await count('sessions')
    expect(left).toBeLessThanOrEqual(70_001)
    expect(left).toBeGreaterThan(30_000)
    await env.DB.prepare('drop trigger fails').run()
    for (let minute = 0; minute < 8; minute++) {
      pass(120)
      await app.runEachMinute()
    }
    expect(await count('sessions')).toBe(0)
    expect((await result()).at(-1)).toMatchObject({ state: 'done', sessions: 70_001, accounts: 1 })
  })

  it('every table has a decision: its rows end, or a reason keeps them', async () => {
    const { scope, settle } = new TestApp(config).openScope()
    const ended = restoredRows(scope).map(({ table }) => getTableName(table))
    await settle()
    const tables = (await tablesOf(env.DB)).filter((name) => name !== 'd1_migrations')
    expect(tables.filter((name) => !ended.includes(name) && !(name in kept))).toEqual([])
    expect(Object.keys(kept).filter((name) => ended.includes(name) || !tables.includes(name))).toEqual([])
  })
})

/** Why the rows of a table stay as they were restored. */
const kept: Record<string, string> = {
  ...keptBecause('no credential', ['organizations', 'teams', 'avatars', 'organization_logos', 'sign_in_methods']),
  ...keptBecause('not a credential: who is a member, and by which rules, is to be compared by administrators', [
    ...['members', 'team_members', 'connections', 'organization_domains', 'break_glass_members', 'sign_in_policies'],
    ...['directory_users', 'directory_groups', 'directory_group_members', 'directory_accounts', 'directory_departures'],
    ...['directory_usage', 'oauth_resources', 'signal_receivers', 'audit_streams'],
  ]),
  ...keptBecause('a restored request to erase a deleted user is carried out again', ['audit_erasures']),
  ...keptBecause('the only way in of users without an address; named in the guide', ['two_factors', 'passkeys']),
  ...keptBecause('the chain continues with a signed gap', [
    ...['audit_records', 'audit_chains', 'audit_checkpoints', 'audit_segments', 'audit_segment_parts'],
  ]),
  ...keptBecause('given up or repeated by the command line', ['jobs']),
  ...keptBecause('refuses, and gives nothing', [
    'defences',
    'used_records',
    'rate_limits',
    'audit_budgets',
    'server_requests',
  ]),
  ...keptBecause('the keys of tokens; tokens that ended are in the feed, which is not restored', ['jwks']),
  ...keptBecause('of the deployment', ['stored_secrets', 'resealing', 'deployment']),
  ...keptBecause('the provider sends it again', ['billing_customers', 'billing_entitlements', 'billing_products']),
  ...keptBecause('only the previous version reads them', [...previousTables]),
  ...keptBecause('history and numbers', [
    ...['security_events', 'agent_activity', 'daily_counts', 'active_users', 'active_days', 'count_progress'],
    ...['table_counts', 'signal_events', 'hourly_counts', 'attacks'],
  ]),
}

function keptBecause(reason: string, tables: string[]): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [table, reason]))
}

async function followed(app: TestApp, link: string) {
  const device = app.device()
  await device.get(link)
  return device
}
