import { applyD1Migrations, type D1Migration, reset, runInDurableObject } from 'cloudflare:test'
import { env as bindings } from 'cloudflare:workers'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deleteRowsOfPreviousVersion } from '../identity/jobs/previous-version.ts'
import { secretOfNames } from '../platform/test-clock.ts'
import { cheapHash } from '../testing/cheap-hash.ts'
import { env, TestApp } from '../testing/harness.ts'
import { alice } from '../testing/people.ts'
import released from '../testing/released-migrations.json' with { type: 'json' }

const { TEST_MIGRATIONS: all } = bindings as unknown as { TEST_MIGRATIONS: D1Migration[] }

/** Rows as written by a version with these columns. */
async function fill(): Promise<void> {
  const password = await cheapHash.hash(alice.password)
  const sql = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(...values)
  await env.DB.batch([
    sql(
      `insert into users (id, name, email, created_at, updated_at, additional_fields, username)
        values ('u1', ?, ?, 1000, 1000, '{"plan":"pro"}', 'alice')`,
      alice.name,
      alice.email,
    ),
    sql(`insert into users (id, name, email, created_at, updated_at) values ('u2', 'Bob', 'bob@example.com', 1, 1)`),
    sql(
      `insert into accounts (id, provider_id, account_id, user_id, password, created_at, updated_at)
        values ('a1', 'credential', 'u1', 'u1', ?, 1000, 1000)`,
      password,
    ),
    sql(
      `insert into sessions (id, user_id, token, expires_at, created_at, updated_at) values ('s1', 'u1', 't1', ?, ?, 1)`,
      Date.now() + 1e9,
      Date.now() - 1e6,
    ),
    sql(`insert into organizations (id, name, slug, created_at) values ('o1', 'Acme', 'acme', 1)`),
    sql(`insert into members (id, organization_id, user_id, role, created_at) values ('m1', 'o1', 'u1', 'owner', 1)`),
  ])
}

const tables = ['users', 'accounts', 'sessions', 'organizations', 'members']
const read = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (name) => {
        const { results } = await env.DB.prepare(`select * from ${name} order by id`).all<Record<string, unknown>>()
        return [name, results] as const
      }),
    ),
  )

/** The number of migrations of each version. */
const versions = Object.keys(released).map((version, at, all) => {
  const upTo = all.slice(0, at + 1) as (keyof typeof released)[]
  return [version, upTo.flatMap((one) => Object.keys(released[one])).length] as const
})

/** The migrations of 0.2.0, which had five queues in place of the outbox. */
const of02 = all.slice(0, Object.fromEntries(versions)['0.2.0'])

describe('an upgrade', () => {
  it.each([['the first migration', 1] as const, ...versions])('from %s: what was there stays', async (_, count) => {
    await reset()
    await applyD1Migrations(env.DB, all.slice(0, count))
    await fill()
    const before = await read()
    await applyD1Migrations(env.DB, all)
    const after = await read()
    for (const name of tables) {
      // Later versions may add columns but not change these.
      expect(after[name]).toEqual(before[name]!.map((row) => expect.objectContaining(row)))
    }
    const device = new TestApp().device()
    const { status, body } = await device.post('/sign-in/email', { email: alice.email, password: alice.password })
    expect({ status, id: body.user?.id }).toEqual({ status: 200, id: 'u1' })
    expect((await device.get('/organization/list')).body).toMatchObject([{ id: 'o1', slug: 'acme' }])
    expect((await device.get('/list-sessions')).body).toHaveLength(2)
  })

  it('from 0.2.0: the previous Worker finds its tables and columns, and may insert rows without the later ones', async () => {
    const columns = async () => {
      const { results } = await env.DB.prepare(
        `select t.name as "table", c.name, c.type, c."notnull" as required, c.dflt_value as value
          from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table' and t.name not like '\\_cf%' escape '\\'`,
      ).all<{ table: string; name: string; type: string; required: number; value: string | null }>()
      return new Map(results.map((one) => [`${one.table}.${one.name} ${one.type}`, one]))
    }
    await reset()
    await applyD1Migrations(env.DB, of02)
    const before = await columns()
    await applyD1Migrations(env.DB, all)
    const now = await columns()
    expect([...before.keys()].filter((column) => !now.has(column))).toEqual([])
    const tables = new Set([...before.values()].map(({ table }) => table))
    const later = [...now].filter(([column, { table }]) => tables.has(table) && !before.has(column))
    expect(later.filter(([, { required, value }]) => required && value === null).map(([column]) => column)).toEqual([])
  })

  it('from 0.2.0: what the previous Worker writes on the new schema becomes a job or a record, and what it settles ends', async () => {
    await reset()
    await applyD1Migrations(env.DB, all)
    const sql = (text: string) => env.DB.prepare(text).run()
    const jobs = async () =>
      (await env.DB.prepare('select id, kind, state, attempts from jobs order by id').all<object>()).results
    await sql(
      `insert into tasks values ('t1', 'new-mail', 'sealed', 0, 5, null, 4), ('t2', 'mail', 'sealed', 0, 6, 'no', 5)`,
    )
    await sql(`insert into webhook_deliveries (id, endpoint, type, subject, data, created_at, state, attempts, next_at, pending_since)
      values ('msg_1', 'crm', 'user.created', 'u1', '{}', 1000, 'pending', 0, 9, 2000)`)
    await sql(`insert into billing_webhooks values ('w1', 'order.paid', 0, 'sealed', 0, 9, null, 7, 8)`)
    await sql(`insert into billing_usage_events values ('e1', 'u1', 'call', '{}', 11, 12, null, null)`)
    await sql(`insert into admin_audit values ('r1', 1, 'ban-user', 'u1', 'u2', null, null, '{}', '{}')`)
    const pending = (id: string, kind: string, attempts = 0) => ({ id, kind, attempts, state: 'pending' })
    expect(await jobs()).toEqual([
      pending('billing-inbox:w1', 'billing-inbox/order.paid'),
      pending('billing-usage:e1', 'billing-usage'),
      pending('msg_1', 'webhook/crm'),
      pending('t1', 'mail'),
      pending('t2', 'mail', 1),
    ])
    const records = await env.DB.prepare('select action, actor_type, subject_type from audit_records').all()
    expect(records.results).toEqual([{ action: 'ban-user', actor_type: 'administrator', subject_type: 'user' }])
    await sql(`update webhook_deliveries set state = 'delivered', settled_at = 10`)
    await sql('update billing_webhooks set done = 1')
    await sql("update tasks set attempts = 3 where id = 't2'")
    await sql(`delete from tasks where id = 't1'`)
    await sql('delete from billing_usage_events')
    expect(await jobs()).toEqual([
      { ...pending('billing-inbox:w1', 'billing-inbox/order.paid'), state: 'done' },
      pending('t2', 'mail', 3),
    ])
    const left = async () =>
      (await env.DB.prepare('select id from tasks union all select id from admin_audit').all()).results
    expect(await left()).toEqual([{ id: 't2' }, { id: 'r1' }])
    await deleteRowsOfPreviousVersion(env.DB)
    expect([await left(), await jobs()]).toEqual([[{ id: 't2' }], expect.arrayContaining([pending('t2', 'mail', 3)])])
    await sql(`delete from jobs where id = 't2'`)
    await deleteRowsOfPreviousVersion(env.DB)
    expect(await left()).toEqual([])
  })

  it('from 0.2.0: what waited in one of the five queues waits in the outbox', async () => {
    await reset()
    await applyD1Migrations(env.DB, of02)
    await fill()
    const sql = (text: string) => env.DB.prepare(text)
    const registration = JSON.stringify({ backchannel_logout_uri: 'https://client.example.com/logout' })
    await env.DB.batch([
      sql(`insert into tasks (id, kind, payload, attempts, next_at, last_error, created_at) values
        ('t1', 'new-mail', 'sealed', 0, 5, null, 4), ('t2', 'mail', 'sealed', 0, 6, 'no', 5), ('t3', 'hooks:user-created', 'sealed', 2, 7, 'no', 6)`),
      sql(`insert into webhook_deliveries (id, endpoint, type, subject, data, created_at, state, attempts, next_at, pending_since, settled_at, last_error) values
        ('msg_1', 'crm', 'user.created', 'u1', '{"user":{}}', 1000, 'pending', 3, 9, 2000, null, 'no'),
        ('msg_2', 'crm', 'user.updated', 'u1', '{"user":{}}', 1001, 'failed', 4, 9, 1001, 3000, 'no'),
        ('msg_3', 'crm', 'user.updated', 'u1', '{"user":{}}', 1002, 'delivered', 1, 9, 1002, 3000, null)`),
      sql(`insert into billing_webhooks (id, type, done, payload, attempts, next_at, last_error, signed_at, received_at) values
        ('w1', 'order.paid', 0, 'sealed', 2, 9, 'no', 7, 8), ('w2', 'order.paid', 1, null, 1, null, null, 7, 9), ('w3', 'order.paid', 0, 'sealed', 9, null, 'no', 7, 10)`),
      sql(`insert into billing_usage_events (id, user_id, name, metadata, at, next_at, batch, refusal) values
        ('e1', 'u1', 'call', '{"n":1}', 11, 12, null, null), ('e2', 'u1', 'call', '{}', 12, 13, 'b', '422')`),
      sql(
        `insert into oauth_applications (id, client_id, name, redirect_urls, type, authentication_scheme, registration, created_at, updated_at)
          values ('c1', 'waits', 'Waits', '[]', 'web', 'none', '${registration}', 1, 1), ('c2', 'other', 'Other', '[]', 'web', 'none', '{}', 1, 1)`,
      ),
      ...[
        ['waits', 's1'],
        ['waits', 'ended'],
        ['other', 's1'],
      ].map(([client, session], n) =>
        sql(
          `insert into oauth_access_tokens (id, client_id, user_id, session_id, scopes, grant_id, security_version, auth_time, access_token, access_token_expires_at, created_at, updated_at)
            values ('k${n}', '${client}', 'u1', '${session}', 'openid', 'g${n}', 0, 1, 'h${n}', 1, 1, 1)`,
        ),
      ),
    ])
    await applyD1Migrations(env.DB, all)
    const rows = await sql('select * from jobs order by rowid').all<Record<string, unknown>>()
    const day = 86_400_000
    const body = (type: string, at: string) => JSON.stringify({ type, timestamp: at, data: { user: {} } })
    const usage = (id: string, metadata: object, at: number) =>
      JSON.stringify({ id, userId: 'u1', event: 'call', metadata, at })
    const logout = (sessionId: string) => JSON.stringify({ userId: 'u1', sessionId })
    expect(rows.results.map((row) => ({ ...row }))).toMatchObject([
      { id: 't1', kind: 'mail', payload: 'sealed', attempts: 0, next_at: 5, state: 'pending', created_at: 4 },
      { id: 't2', kind: 'mail', attempts: 1, next_at: 6, state: 'pending', last_error: 'no' },
      { id: 't3', kind: 'hooks:user-created', attempts: 2, next_at: 7, state: 'pending' },
      {
        ...{ id: 'msg_1', kind: 'webhook/crm', key: 'u1', payload: body('user.created', '1970-01-01T00:00:01.000Z') },
        ...{ attempts: 3, next_at: 9, state: 'pending', settled_at: 2000, created_at: 1000, last_error: 'no' },
      },
      { id: 'msg_2', kind: 'webhook/crm', state: 'failed', settled_at: 3000, next_at: 3000 + 30 * day },
      { id: 'billing-inbox:w1', kind: 'billing-inbox/order.paid', payload: 'sealed', state: 'pending', next_at: 9 },
      { id: 'billing-inbox:w2', state: 'done', payload: null, next_at: 9 + 90 * day, created_at: 7 },
      { id: 'billing-inbox:w3', state: 'failed', payload: 'sealed', next_at: 10 + 90 * day, last_error: 'no' },
      { id: 'billing-usage:e1', kind: 'billing-usage', state: 'pending', payload: usage('e1', { n: 1 }, 11) },
      { id: 'billing-usage:e2', state: 'failed', last_error: '422', next_at: 13 + 90 * day },
      { id: 'logout:waits:ended', kind: 'logout/waits', key: 'ended', state: 'pending', payload: logout('ended') },
      { id: 'logout:waits:s1', kind: 'logout/waits', key: 's1', state: 'held', payload: logout('s1') },
    ])
  })

  it('from 0.2.0: a client that has refresh tokens may refresh, and one with a private scheme is native', async () => {
    await reset()
    await applyD1Migrations(env.DB, of02)
    await fill()
    const sql = (text: string) => env.DB.prepare(text)
    const code = { grant_types: ['authorization_code'] }
    const both = { grant_types: ['authorization_code', 'refresh_token'] }
    const clients: [id: string, registration: object, redirectUri: string][] = [
      ['refreshes', code, 'https://client.example.com/cb'],
      ['registered', both, 'https://client.example.com/cb'],
      ['never', code, 'https://client.example.com/cb'],
      ['private', code, 'com.example.app:/cb'],
    ]
    await env.DB.batch([
      ...clients.map(([id, registration, redirectUri]) =>
        sql(
          `insert into oauth_applications (id, client_id, name, redirect_urls, type, authentication_scheme, registration, created_at, updated_at)
            values (?1, ?1, 'Client', ?2, 'web', 'none', ?3, 1, 1)`,
        ).bind(id, JSON.stringify([redirectUri]), JSON.stringify(registration)),
      ),
      ...clients.map(([id], n) =>
        sql(
          `insert into oauth_access_tokens (id, client_id, user_id, scopes, grant_id, security_version, auth_time, access_token, refresh_token, access_token_expires_at, created_at, updated_at)
            values (?1, ?1, 'u1', 'openid', ?1, 0, 1, ?1, ?2, 1, 1, 1)`,
        ).bind(id, n < 2 ? `r${n}` : null),
      ),
    ])
    await applyD1Migrations(env.DB, all)
    const { results } = await sql('select registration from oauth_applications order by rowid').all<{
      registration: string
    }>()
    expect(results.map(({ registration }) => JSON.parse(registration))).toEqual([
      both,
      both,
      code,
      { ...code, application_type: 'native' },
    ])
  })
})

/** The data of 0.1.0 outside D1's columns, byte for byte. A changed format must remain readable for its lifetime. */
it('an upgrade gives each sign-in method one id, in a filled sign-in log and in the statistics', async () => {
  await reset()
  const renaming = all.findIndex(({ name }) => name.includes('one-id-per-method'))
  await applyD1Migrations(env.DB, all.slice(0, renaming))
  await fill()
  const event = (id: string, type: string, method: string | null) =>
    env.DB.prepare(
      `insert into security_events (id, user_id, type, outcome, method, request_id, created_at)
        values (?, 'u1', ?, 'success', ?, 'r', 1)`,
    ).bind(id, type, method)
  const count = (day: number, name: string, label: string, count: number) =>
    env.DB.prepare('insert into daily_counts (day, name, label, count) values (?, ?, ?, ?)').bind(
      day,
      name,
      label,
      count,
    )
  const kept = ['cloudflare-access', 'email', 'email-otp', 'google', 'phone-number', 'phone-otp', 'sso-c1'] as const
  await env.DB.batch([
    event('e01', 'step-up', 'email-code'),
    event('e02', 'step-up-failed', 'phone-code'),
    event('e03', 'step-up', 'provider:google'),
    event('e04', 'step-up-failed', 'provider:acme-id'),
    event('e05', 'sign-in-failed', 'email-code'),
    event('e06', 'locked-out', 'email-code'),
    event('e07', 'step-up', 'password'),
    event('e08', 'sign-in-failed', 'password'),
    event('e09', 'password-changed', null),
    ...kept.map((method) => event(`k-${method}`, 'sign-in', method)),
    ...kept.map((method) =>
      env.DB.prepare(`insert into sign_in_methods (user_id, method, last_used_at) values ('u1', ?, 1)`).bind(method),
    ),
    count(1, 'sign-in-failed', 'email-code', 2),
    count(2, 'sign-in-failed', 'email-code', 3),
    count(2, 'sign-in-failed', 'email-otp', 4),
    count(2, 'sign-in-failed', 'password', 5),
    count(2, 'sign-in', 'phone-otp', 6),
  ])
  await applyD1Migrations(env.DB, all)
  const rows = async (query: string) => (await env.DB.prepare(query).raw()) as unknown[][]
  expect(await rows('select id, method from security_events order by id')).toEqual([
    ['e01', 'email-otp'],
    ['e02', 'phone-otp'],
    ['e03', 'google'],
    ['e04', 'acme-id'],
    ['e05', 'email-otp'],
    ['e06', 'email-otp'],
    ['e07', 'password'],
    ['e08', 'password'],
    ['e09', null],
    ...kept.map((method) => [`k-${method}`, method]),
  ])
  expect((await rows('select method from sign_in_methods order by method')).flat()).toEqual(kept)
  expect(await rows('select day, name, label, count from daily_counts order by day, name, label')).toEqual([
    [1, 'sign-in-failed', 'email-otp', 2],
    [2, 'sign-in', 'phone-otp', 6],
    [2, 'sign-in-failed', 'email-otp', 7],
    [2, 'sign-in-failed', 'password', 5],
  ])
})

describe('pending work at the upgrade from 0.1.0', () => {
  const secret = 'test-secret-0123456789-0123456789-ab'
  const under = (text: string) => createHmac('sha256', secretOfNames(secret)).update(text).digest('base64url')
  const prepared = async () => {
    await fill()
    return new TestApp({ rateLimit: { enabled: false } })
  }

  it('a mailed link (KV): works, once', async () => {
    const app = await prepared()
    // { data: { userId: 'u1', securityVersion: 0 }, expiresAt: 3000-01-01 }
    const sealed =
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiMVVCbmh2RGoifQ..EhEj6M8evZO_FZc5.CNaj-vmWEjrbGbh89xqwryCwOPSQ15h2gW7D34btnixF-6t371i2HBW4RNzO3dxttDgaBVMaWLlUcVENeT5eqzyCH69kc4U.2H_DdHh9uK38TVv9nJA_pQ'
    const token = 'a-token-of-24-characters'
    await env.KV.put(`verification:${under(`verification:reset-password:${token}`)}`, JSON.stringify(sealed))
    const reset = () => app.device().post('/reset-password', { token, newPassword: 'another-password' })
    expect((await reset()).status).toBe(200)
    expect((await reset()).body.code).toBe('INVALID_TOKEN')
    const again = { email: alice.email, password: 'another-password' }
    expect((await app.device().post('/sign-in/email', again)).status).toBe(200)
  })

  it('a mailed code (Durable Object): works once, and wrong guesses count on', async () => {
    const app = await prepared()
    const record = {
      value: JSON.stringify({ userId: 'u1', securityVersion: 0 }),
      expiresAt: Date.now() + 60_000,
      code: under('code:email-otp:sign-in:123456'),
      attempts: 2,
      maxAttempts: 3,
      serial: 'a-serial',
      takenBy: null,
    }
    const stub = env.ONE_TIME.getByName(under(`one-time:email-otp:sign-in:${alice.email}`))
    const write = () => runInDurableObject(stub, (_, { storage }) => storage.kv.put('record', record))
    const guess = async (otp: string) => {
      const { status, body } = await app.device().post('/sign-in/email-otp', { email: alice.email, otp })
      return body.code ?? status
    }
    await write()
    expect([await guess('123456'), await guess('123456')]).toEqual([200, 'INVALID_OTP'])
    await write()
    expect([await guess('000000'), await guess('123456')]).toEqual(['INVALID_OTP', 'TOO_MANY_ATTEMPTS'])
  })

  it('a count (Durable Object): continues', async () => {
    const app = await prepared()
    const stub = env.COUNTER.getByName(under(`counter:password:sign-in:${alice.email}`))
    await runInDurableObject(stub, (_, { storage }) => {
      storage.kv.put('count', { count: 1_000_000, windowStart: Date.now(), lastRequest: Date.now() })
    })
    const { status } = await app.device().post('/sign-in/email', alice)
    expect(status).toBe(429)
  })

  it.each(['mail', 'new-mail'])('a mail that waited (a row of tasks, %s): is sent', async (kind) => {
    await reset()
    await applyD1Migrations(env.DB, of02)
    const app = await prepared()
    // { kind: 'reset-password', to, subject, text, html }
    const sealed =
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiMVVCbmh2RGoifQ..NbYw5w7g0C0i4PFk.QjT1_dGg3xRMOTUfwEZ_v8s292B-AlVB2QanwZ7ihN-R2NYSjxgXqt0vjDEncbr_8wg-9k_niheADz6ESQ8veF8zJq7Q9OvGpyoyn285HgT6uq94tiBczFGXIn9dqBM-NTFrKMVKssINPKIXvWs.MxWstkmGYwLyh8tjr9Scxg'
    const row = env.DB.prepare(
      'insert into tasks (id, kind, payload, attempts, next_at, created_at) values (?, ?, ?, 1, 1, 1)',
    )
    await row.bind('t1', kind, sealed).run()
    await applyD1Migrations(env.DB, all)
    await app.runScheduled()
    expect(await app.mailbox()).toMatchObject([{ to: alice.email, subject: 'From 0.1', text: 'Hello\n' }])
    expect(await env.DB.prepare('select id from jobs').first()).toBeNull()
  })
})
