import { describe, expect, it, vi } from 'vitest'
import { invitations } from '../features/organization/model/invitations.table.ts'
import { members } from '../features/organization/model/members.table.ts'
import { teamMembers } from '../features/organization/model/team-members.table.ts'
import { teams } from '../features/organization/model/teams.table.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { users } from '../identity/model/users.table.ts'
import { days, ms } from '../kit/time.ts'
import { allCases, declaredEndpoints, type GrowthCase } from '../testing/cases.ts'
import { type Device, env, TestApp } from '../testing/harness.ts'
import { insertion, runAll } from '../testing/insertion.ts'
import { callback } from '../testing/oauth.ts'
import { anotherDevice, type Company, company, type Someone, someone } from '../testing/organizations.ts'
import { alice, signIn, signUp } from '../testing/people.ts'
import { count, rowsOf } from '../testing/rows.ts'
import { newUser } from '../testing/states.ts'

/** The number of rows that one user can create, that a list returns, and that the cron trigger deletes by age. */

const unlimited = { rateLimit: { enabled: false } }
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()

const upTo = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n + 1))

const teamOf = (at: Company) => (n: number) =>
  insertion(teams, { id: `t${n}`, name: `T${n}`, organizationId: at.id, createdAt: new Date(n) })

async function guest(app: TestApp): Promise<Device> {
  const device = app.device()
  expect((await device.post('/sign-in/anonymous')).status).toBe(200)
  return device
}

/** Runs the cron trigger some days in the future. */
async function runScheduledIn(app: TestApp, count: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms(days(count)) })
  try {
    await app.runScheduled()
  } finally {
    vi.useRealTimers()
  }
}

const growth = allCases.flatMap((cases) => Object.entries(cases.growth ?? {}))

const fill = ({ rows }: GrowthCase, user: Someone, count: number) => runAll(upTo(count, (n) => rows(user.id, n)).flat())

describe('caps', () => {
  it.each([
    [
      'an organization',
      '/organization/create',
      { name: 'A', slug: 'a' },
      403,
      'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION',
    ],
    // As a visitor, because a guest's account does not last.
    ['a client', '/oauth2/register', { redirect_uris: [callback] }, 401, 'invalid_token'],
  ])('a guest does not create %s', async (_what, path, body, status, code) => {
    const answer = await (await guest(new TestApp())).post(path, body)
    expect({ status: answer.status, code: answer.body.code ?? answer.body.error }).toEqual({ status, code })
    expect(await count('organizations')).toBe(0)
    expect(await count('oauth_applications')).toBe(0)
  })

  it('a sign-in beyond the maximum of sessions ends the oldest', async () => {
    const app = new TestApp({ ...unlimited, session: { maxPerUser: 3 } })
    const first = await signUp(app, alice)
    for (let device = 0; device < 3; device++) await signIn(app, alice)
    expect(await count('sessions')).toBe(3)
    expect((await first.get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
  })

  it('a guest creates 5 API keys', async () => {
    const device = await guest(new TestApp(unlimited))
    const answers = await Promise.all(Array.from({ length: 8 }, () => device.post('/api-key/create')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(await count('api_keys')).toBe(5)
  })

  it.each(growth.flatMap(([what, { cap, ...one }]) => (cap ? [[what, { ...one, cap }] as const] : [])))(
    'of %s at once at the cap one is written',
    async (_what, { cap, ...one }) => {
      const app = new TestApp({ ...unlimited, ...one.config })
      const user = await someone(app, 'Max')
      await fill(one, user, cap.max - 1)
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => user.device.post(cap.path, cap.body(n))))
      expect(answers.filter(({ status }) => status === cap.success)).toHaveLength(1)
      const { status, body } = answers.find(({ status }) => status !== cap.success)!
      expect({ status, code: body.code ?? body.error }).toEqual({ status: 403, code: cap.refusal })
    },
  )

  it('an organization has 100 API keys', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    await fill(new Map(growth).get('keys')!, acme.owner, 100)
    await run('update api_keys set user_id = null, organization_id = ?', acme.id)
    const { status, body } = await acme.owner.device.post('/api-key/create', { organizationId: acme.id })
    expect({ status, code: body.code }).toEqual({
      status: 403,
      code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS',
    })
    expect((await acme.owner.device.post('/api-key/create')).status).toBe(200)
  })

  it('an organization has 100 teams', async () => {
    const app = new TestApp({ ...unlimited, organization: { teams: { enabled: true } } })
    const acme = await company(app, 'acme')
    await runAll(upTo(99, teamOf(acme)))
    const { status, body } = await acme.owner.device.post('/organization/create-team', { name: 'One more' })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS' })
  })

  it('metadata has 4 KB, in bytes', async () => {
    const app = new TestApp({ ...unlimited, apiKey: { enableMetadata: true } })
    const { device } = await someone(app, 'Max')
    const [short, long] = [{ a: 'x'.repeat(4000) }, { a: 'ü'.repeat(2100) }]
    const create = async (metadata: object) => [
      (await device.post('/organization/create', { name: 'A', slug: 'a', metadata })).status,
      (await device.post('/api-key/create', { metadata })).status,
      (await device.post('/oauth2/register', { redirect_uris: [callback], metadata })).status,
    ]
    expect(await create(long)).toEqual([400, 400, 400])
    expect(await create(short)).toEqual([200, 200, 201])
  })

  it('a registration without a user has 8 KB', async () => {
    const app = new TestApp({ ...unlimited, mcp: { enabled: true } })
    const client = { redirect_uris: [callback], software_statement: 'x'.repeat(8000) }
    const [short, long] = [client, { ...client, client_uri: `https://a.example/${'x'.repeat(300)}` }]
    expect((await app.device().post('/mcp/register', long)).status).toBe(413)
    expect((await app.device().post('/mcp/register', short)).status).toBe(201)
    const { device } = await someone(app, 'Max')
    expect((await device.post('/oauth2/register', long)).status).toBe(201)
  })

  it('one address creates so many guests, and so many clients without a user', async () => {
    const budget = { max: 2, window: 3600 }
    const app = new TestApp({
      ...unlimited,
      mcp: { enabled: true },
      anonymous: { guestsPerAddress: budget },
      identityProvider: { anonymousClientsPerAddress: budget },
    })
    // Addresses of one /64.
    const addresses = ['2001:db8:7::1', '2001:db8:7::2', '2001:db8:7::3']
    const statuses = async (path: string, body?: object) => {
      const found: number[] = []
      for (const address of addresses) found.push((await app.device(address).post(path, body)).status)
      return found
    }
    expect(await statuses('/sign-in/anonymous')).toEqual([200, 200, 429])
    expect(await statuses('/mcp/register', { redirect_uris: [callback] })).toEqual([201, 201, 429])
  })
})

describe('lists', () => {
  it.each(growth)('%s: 500 at most, and the rest page by page', async (what, one) => {
    const user = await someone(new TestApp(unlimited), 'Max')
    await fill(one, user, 501)
    const get = async (query: Record<string, string>) => {
      const { status, body } = await user.device.get(one.list, { query })
      expect(status).toBe(200)
      return body as Record<string, unknown>[]
    }
    const first = await get({})
    expect(first).toHaveLength(500)
    // The caller's own session is one more.
    expect(await get({ offset: '500' })).toHaveLength(what === 'sessions' ? 2 : 1)
    const second = await get({ limit: '1', offset: '1' })
    expect(second).toEqual([first[1]])
    expect((await user.device.get(one.list, { query: { limit: '501' } })).status).toBe(400)
    expect(Object.keys(second[0]!)).not.toContain('metadata')
  })

  it('have a row each', () => {
    const isList = ({ input }: Endpoint) => 'offset' in ((input?.query as unknown as { shape?: object })?.shape ?? {})
    const lists = declaredEndpoints.filter(isList).map(({ path }) => path)
    const rows: string[] = growth.map(([, { list }]) => list)
    // Those of an organization are below.
    expect([...new Set(lists)].filter((path) => !rows.includes(path)).sort()).toEqual([
      '/admin/list-agents',
      '/admin/list-users',
      '/list-sign-in-methods',
      '/organization/list-invitations',
      '/organization/list-team-members',
      '/organization/list-teams',
      '/organization/list-user-teams',
    ])
  })

  it('of an organization: teams and invitations too', async () => {
    const app = new TestApp({ ...unlimited, organization: { teams: { enabled: true } } })
    const acme = await company(app, 'acme')
    const invitation = (n: number) =>
      insertion(invitations, {
        id: `i${n}`,
        organizationId: acme.id,
        email: 'a@example.com',
        role: 'member',
        expiresAt: new Date(9_000_000_000_000),
        inviterId: acme.owner.id,
        createdAt: new Date(n),
      })
    const ofOwner = (n: number) =>
      insertion(teamMembers, { id: `tm${n}`, teamId: `t${n}`, memberId: acme.ownerMember, createdAt: new Date(n) })
    const person = (n: number) => insertion(users, newUser({ id: `u${n}`, name: 'A', email: `u${n}@example.com` }))
    const colleague = (n: number) =>
      insertion(members, {
        id: `m${n}`,
        organizationId: acme.id,
        userId: `u${n}`,
        teamId: 't1',
        createdAt: new Date(n),
      })
    await runAll([...upTo(501, teamOf(acme)), ...upTo(501, invitation), ...upTo(501, ofOwner)])
    await runAll([...upTo(501, person), ...upTo(501, colleague)])
    for (const list of ['list-teams', 'list-invitations', 'list-user-teams', 'list-team-members?teamId=t1']) {
      expect((await acme.owner.device.get(`/organization/${list}`)).body).toHaveLength(500)
    }
    const { body } = await acme.owner.device.get('/organization/get-full-organization')
    expect({ teams: body.teams.length, invitations: body.invitations.length }).toEqual({ teams: 500, invitations: 500 })
  })
})

describe('guests who are not seen for 30 days', () => {
  const guests = () => count('users', { isAnonymous: true })

  it('are deleted with everything of theirs, signed in or not', async () => {
    const app = new TestApp({ ...unlimited, organization: { guestOrganizationLimit: 1 } })
    const device = await guest(app)
    await device.post('/organization/create', { name: 'A', slug: 'a' })
    await device.post('/api-key/create')
    const left = await guest(app)
    await left.post('/sign-out')
    await runScheduledIn(app, 29)
    expect(await guests()).toBe(2)
    await runScheduledIn(app, 31)
    const tables = ['users', 'sessions', 'organizations', 'members', 'api_keys'] as const
    expect(await Promise.all(tables.map((table) => count(table)))).toEqual(tables.map(() => 0))
  })

  it('remain with a session in use, a sign-in method, a purchase, a key in use, or other members in their organization', async () => {
    const app = new TestApp({ ...unlimited, session: { expiresIn: days(365) } })
    const kept = await Promise.all(Array.from({ length: 6 }, () => guest(app)))
    const ids = await Promise.all(kept.map(async (device) => (await device.get('/get-session')).body.user.id as string))
    const [used, proven, linked, buyer, machine, colleague] = ids
    const soon = Date.now() + ms(days(20))
    const max = await someone(app, 'Max')
    await run('update sessions set updated_at = ? where user_id = ?', soon, used)
    await run('update users set phone_number = ?, phone_number_verified = 1 where id = ?', '+15550001111', proven)
    await run(
      `insert into accounts (id, user_id, provider_id, account_id, created_at, updated_at) values ('a', ?, 'google', 'g', 1, 1)`,
      linked,
    )
    await run(
      `insert into billing_customers (id, user_id, data, as_of, state_as_of, deleted, received_at) values ('c', ?, '{}', 1, 0, 0, 1)`,
      buyer,
    )
    await run(
      `insert into billing_entitlements (kind, id, customer_id, active, data, as_of, received_at)
       values ('subscription', 's', 'c', 0, '{}', 1, 1)`,
    )
    await run(
      `insert into api_keys (id, user_id, key_hash, enabled, rate_limit_enabled, request_count, last_request, created_at, updated_at)
       values ('k', ?, 'h', 1, 1, 0, ?, 1, 1)`,
      machine,
      soon,
    )
    await run("insert into organizations (id, name, slug, created_at) values ('o', 'O', 'o', 1)")
    for (const user of [colleague, max.id]) {
      await run(
        `insert into members (id, organization_id, user_id, role, created_at) values (?1, 'o', ?1, 'owner', 1)`,
        user,
      )
    }
    await runScheduledIn(app, 31)
    expect(await guests()).toBe(6)
    // No run reads all of them. They are due again 30 days after their last visit or after the run.
    const guestsSeen = (await rowsOf('users')).filter(({ guestSeenAt }) => guestSeenAt !== null)
    expect(guestsSeen.filter(({ guestSeenAt }) => guestSeenAt!.getTime() <= Date.now() + ms(days(1)))).toEqual([])
    await runScheduledIn(app, 51)
    expect({ user: await count('users', { id: used }), guests: await guests() }).toEqual({ user: 0, guests: 5 })
    await runScheduledIn(app, 62)
    expect({ user: await count('users', { id: machine }), guests: await guests() }).toEqual({ user: 0, guests: 4 })
  })

  it('remain if a hook rejects or guestLifetime is null; other users are not changed', async () => {
    const refusing = new TestApp({
      ...unlimited,
      hooks: {
        deletingUser: () => {
          throw new Error('not now')
        },
      },
    })
    await guest(refusing)
    await anotherDevice(refusing, (await someone(refusing, 'Max')).id)
    await runScheduledIn(refusing, 31)
    await runScheduledIn(new TestApp({ anonymous: { guestLifetime: null } }), 62)
    expect({ guests: await guests(), users: await count('users') }).toEqual({ guests: 1, users: 2 })
  })
})

describe('clients that were registered without a user', () => {
  it('are deleted after a day, unless a user has allowed them something or they hold a token', async () => {
    const app = new TestApp({ ...unlimited, mcp: { enabled: true } })
    const max = await someone(app, 'Max')
    const register = async (device: Device, path: string) =>
      (await device.post(path, { redirect_uris: [callback] })).body.client_id as string
    const [unused, allowed, tokened] = await Promise.all(
      Array.from({ length: 3 }, () => register(app.device(), '/mcp/register')),
    )
    const owned = await register(max.device, '/oauth2/register')
    await run(
      `insert into oauth_consents (id, client_id, user_id, scopes, consent_given, client_name, created_at, updated_at)
       values ('x', ?, ?, 'openid', 1, 'C', 1, 1)`,
      allowed,
      max.id,
    )
    await run(
      `insert into oauth_access_tokens (id, access_token, access_token_expires_at, client_id, user_id, security_version,
         scopes, grant_id, auth_time, created_at, updated_at) values ('t', 't', 9000000000000, ?, ?, 0, '', 'g', 1, 1, 1)`,
      tokened,
      max.id,
    )
    const ids = async () =>
      (await env.DB.prepare('select client_id from oauth_applications').all()).results.map((row) => row.client_id)
    await runScheduledIn(app, 0.9)
    expect(await ids()).toContain(unused)
    await runScheduledIn(app, 1.1)
    expect((await ids()).sort()).toEqual([allowed, owned, tokened].sort())
    await run('delete from oauth_consents')
    await runScheduledIn(app, 3)
    expect((await ids()).sort()).toEqual([owned, tokened].sort())
  })
})

describe('expired rows', () => {
  it('invitations are deleted 30 days after their expiry, in any state', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    for (const status of ['pending', 'accepted', 'rejected', 'canceled']) {
      await run(
        `insert into invitations (id, organization_id, email, status, expires_at, inviter_id, created_at) values (?1, ?2, ?1, ?1, ?3, ?4, 1)`,
        status,
        acme.id,
        Date.now(),
        acme.owner.id,
      )
    }
    await runScheduledIn(app, 29)
    expect(await count('invitations')).toBe(4)
    await runScheduledIn(app, 31)
    expect(await count('invitations')).toBe(0)
  })

  it('a task that has failed for 30 days is given up; one that was never tried is not', async () => {
    const app = new TestApp(unlimited)
    const insert = (id: string, attempts: number) =>
      run(
        `insert into jobs (id, kind, payload, attempts, next_at, state, created_at) values (?1, 'gone', '{}', ?2, 9000000000000, 'pending', ?3)`,
        id,
        attempts,
        Date.now(),
      )
    await insert('failed', 7)
    await insert('new', 0)
    await runScheduledIn(app, 29)
    expect(await count('jobs', { state: 'pending' })).toBe(2)
    await runScheduledIn(app, 31)
    expect((await env.DB.prepare("select id from jobs where state = 'pending'").all()).results).toEqual([{ id: 'new' }])
  })

  it('billing webhooks that were given up, and usage that was refused, go after 90 days', async () => {
    const app = new TestApp({ ...unlimited, billing: { enabled: true, accessToken: 'token' } })
    const now = Date.now()
    const ninetyDays = 90 * 86_400_000
    const insert = (id: string, kind: string, state: string, nextAt: number) =>
      run(
        `insert into jobs (id, kind, payload, attempts, next_at, state, created_at) values (?1, ?2, 'sealed', 0, ?3, ?4, ?5)`,
        id,
        kind,
        nextAt,
        state,
        now,
      )
    await insert('1 given-up', 'billing-inbox/order.paid', 'failed', now + ninetyDays)
    await insert('1 waiting', 'billing-inbox/order.paid', 'pending', 9_000_000_000_000)
    await insert('2 refused', 'billing-usage', 'failed', now + ninetyDays)
    await insert('2 waiting', 'billing-usage', 'pending', 9_000_000_000_000)
    const ids = async (kind: string) =>
      (await env.DB.prepare('select id from jobs where kind like ? order by id').bind(kind).all()).results.map(
        ({ id }) => String(id).slice(2),
      )
    const left = async () => [await ids('billing-inbox/%'), await ids('billing-usage')]
    await runScheduledIn(app, 89)
    expect(await left()).toEqual([
      ['given-up', 'waiting'],
      ['refused', 'waiting'],
    ])
    await runScheduledIn(app, 91)
    expect(await left()).toEqual([['waiting'], ['waiting']])
  })
})
