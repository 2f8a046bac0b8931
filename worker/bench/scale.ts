import { hmac } from '../kit/hash.ts'
import { type Call, Connection, headerValues, quantile } from './load.ts'
import { cookiesOf, expectThat, from, password } from './people.ts'
import { migrations } from './servers.ts'
import { baseUrl, bundles, convertV4MiniflareOptions, gatehouseWorker, Miniflare, secret } from './workers.ts'

const members = 5000
const expired = 1000
const calls = 20
/** The number of a user who has signed in each day for ten years: as many rows as a user can have, and all audit records. */
const crowded = 7
const tenYears = 3650
/** Audit records of the organization. */
const records = 1_000_000
/** Users in one statement. */
const chunk = 50_000

interface Template {
  userId: string
  organizationId: string
}

const userId = (n: number | string) => `printf('scale%027d', ${n})`
export const idOf = (n: number) => `scale${String(n).padStart(27, '0')}`
export const emailOf = (n: number) => `scale${n}@bench.example`

/** Copies the template's row of a table for the users `first <= n < end`, with other values in some columns. */
async function copyRows(
  database: D1Database,
  table: string,
  where: string,
  values: Readonly<Record<string, string>>,
  [first, end]: readonly [number, number],
): Promise<void> {
  const row = await database.prepare(`select * from ${table} where ${where} limit 1`).first<Record<string, unknown>>()
  if (!row) throw new Error(`${table} has no row to copy`)
  const columns = Object.keys(row)
  await database
    .prepare(
      `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')})
       with recursive counter (n) as (select ${first} union all select n + 1 from counter where n + 1 < ${end})
       select ${columns.map((name) => values[name] ?? `"${name}"`).join(', ')}
       from (select * from ${table} where ${where} limit 1), counter`,
    )
    .run()
}

/** Adds users with a password, a session and its entry in the sign-in log, until there are `count`. */
export async function grow(database: D1Database, template: Template, from: number, count: number): Promise<void> {
  for (let first = from; first < count; first += chunk) {
    const range = [first, Math.min(count, first + chunk)] as const
    const of = `user_id = '${template.userId}'`
    // Names of many beginnings, as in reality: a search for one finds a share.
    const name = `char(97 + n * 7 % 26, 97 + n * 11 % 25, 97 + n * 13 % 24) || 'er ' || n`
    // A day ago, each at another time.
    const time = (column: string) => `${column} - 86400000 + n`
    const user = { id: userId('n'), email: `'scale' || n || '@bench.example'`, name, created_at: time('created_at') }
    await copyRows(database, 'users', `id = '${template.userId}'`, user, range)
    const account = { id: userId('n'), account_id: userId('n'), user_id: userId('n') }
    await copyRows(database, 'accounts', of, account, range)
    const session = { id: userId('n'), token: userId('n'), user_id: userId('n'), updated_at: time('updated_at') }
    await copyRows(database, 'sessions', of, session, range)
    const event = { id: userId('n'), user_id: userId('n'), created_at: time('created_at') }
    await copyRows(database, 'security_events', `${of} and type = 'sign-in'`, event, range)
  }
}

/** Sealed audit records: of the sign-ins of a user, and of an organization. */
async function addRecords(database: D1Database, { organizationId }: Template, user: string): Promise<void> {
  const sealed = { id: `'record' || n`, hash: `'x'`, before: `'{}'`, after: `'{}'` }
  const ofUser = { ...sealed, seq: '1000 + n', subject_id: `'${user}'`, actor_id: `'${user}'` }
  await copyRows(database, 'audit_records', `action like 'sign-in%'`, ofUser, [0, tenYears])
  const ofOrganization = {
    ...sealed,
    id: `'shared' || n`,
    seq: '10000 + n',
    organization_seq: 'n + 10',
    organization_hash: `'x'`,
  }
  for (let first = 0; first < records; first += chunk) {
    const range = [first, Math.min(records, first + chunk)] as const
    await copyRows(database, 'audit_records', `organization_id = '${organizationId}'`, ofOrganization, range)
  }
  // The chains continue after them.
  await database.batch([
    database.prepare(
      `update audit_records set hash = 'x', organization_hash = case when organization_id is null then null else 'x' end`,
    ),
    database.prepare(
      `insert into audit_chains (chain, sealed_seq, sealed_hash) select '', max(seq), 'x' from audit_records where true
       on conflict do update set sealed_seq = excluded.sealed_seq`,
    ),
    database.prepare(
      `insert into audit_chains (chain, sealed_seq, sealed_hash) select organization_id, max(organization_seq), 'x' from audit_records
       where organization_id = '${organizationId}' group by organization_id
       on conflict do update set sealed_seq = excluded.sealed_seq`,
    ),
  ])
}

export const cookieOf = (n: number) =>
  `gatehouse.session_token=${encodeURIComponent(`${idOf(n)}.${hmac(secret, idOf(n), 'base64')}`)}`

interface Measured {
  rows: number
  p50: number
}

/**
 * Rows read and time of single requests at several numbers of users, on one database that grows. The rows come from the
 * report of D1.
 */
export async function measureScale(sizes: readonly number[]): Promise<void> {
  const worker = gatehouseWorker(await bundles.scale())
  const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, workers: [worker] }))
  try {
    const database = (await miniflare.getD1Database('DB', 'gatehouse')) as unknown as D1Database
    await database.batch(migrations().map((statement) => database.prepare(statement)))
    const url = await miniflare.unsafeGetDirectURL('gatehouse')
    let connection = await Connection.open(url)
    const ask = async (call: Call) => {
      const headers = { ...from, ...(call.method === 'POST' ? { origin: baseUrl } : {}), ...call.headers }
      const reply = await connection.ask({ ...call, headers })
      expectThat(reply.status === 200, reply, call)
      return reply
    }
    const body = { name: 'Template', email: 'template@bench.example', password }
    const signedUp = await ask({ method: 'POST', path: '/api/auth/sign-up/email', body })
    const cookie = cookiesOf(signedUp).find((pair) => pair.includes('session_token='))!
    const template = { userId: (JSON.parse(signedUp.text) as { user: { id: string } }).user.id, organizationId: '' }
    await ask({ method: 'POST', path: '/api/auth/sign-in/email', body })
    const organization = { name: 'Scale', slug: 'scale' }
    const path = '/api/auth/organization/create'
    const created = await ask({ method: 'POST', path, headers: { cookie }, body: organization })
    template.organizationId = (JSON.parse(created.text) as { id: string }).id
    await database.prepare(`update users set role = 'admin' where id = ?`).bind(template.userId).run()

    let next = 0
    let size = 0
    /** How many sizes are measured: each has other users, because a sign-in adds rows to its user. */
    let turn = 0
    const someUser = () => (turn * 613 + next++ * 7919) % size
    const signIn = (n: number): Call => ({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      body: { email: emailOf(n), password },
    })
    const countFrom = (time: number) =>
      database
        .prepare(`insert into count_progress values ('days', ?1) on conflict do update set until = ?1`)
        .bind(time)
        .run()
    const cases: Record<string, () => Call | Promise<Call>> = {
      'sign-in': () => signIn(someUser()),
      'sign-in, of ten years of sign-ins': () => signIn(crowded),
      'list-security-events, of ten years': () => ({
        method: 'GET',
        path: '/api/auth/security-events',
        headers: { cookie: cookieOf(crowded) },
      }),
      'get-session': () => ({
        method: 'GET',
        path: '/api/auth/get-session',
        headers: { cookie: cookieOf(someUser()) },
      }),
      'list-users, first page': () => ({
        method: 'GET',
        path: '/api/auth/admin/list-users?limit=50',
        headers: { cookie },
      }),
      'list-users, search': () => ({
        method: 'GET',
        path: `/api/auth/admin/list-users?limit=50&search=${['abc', 'h', 'scale9', 'qqq'][next++ % 4]}`,
        headers: { cookie },
      }),
      'list-users, address contains': () => ({
        method: 'GET',
        path: '/api/auth/admin/list-users?limit=50&searchValue=nowhere&searchField=email',
        headers: { cookie },
      }),
      [`organization/audit, of ${records} records`]: () => ({
        method: 'GET',
        path: `/api/auth/organization/audit?organizationId=${template.organizationId}`,
        headers: { cookie },
      }),
      'organization/audit, a text that is missing': () => ({
        method: 'GET',
        path: `/api/auth/organization/audit?organizationId=${template.organizationId}&search=nowhere`,
        headers: { cookie },
      }),
      'organization/audit, an action that is missing': () => ({
        method: 'GET',
        path: `/api/auth/organization/audit?organizationId=${template.organizationId}&action=nothing`,
        headers: { cookie },
      }),
      'organization/audit, of a user without records': () => ({
        method: 'GET',
        path: `/api/auth/organization/audit?organizationId=${template.organizationId}&actorId=${idOf(1)}`,
        headers: { cookie },
      }),
      'admin/audit, an action that is missing': () => ({
        method: 'GET',
        path: '/api/auth/admin/audit?action=nothing',
        headers: { cookie },
      }),
      'admin/audit, by one user': () => ({
        method: 'GET',
        path: `/api/auth/admin/audit?actorId=${idOf(crowded)}`,
        headers: { cookie },
      }),
      'admin/audit, of an hour': () => ({
        method: 'GET',
        path: '/api/auth/admin/audit?since=2026-01-01T00:00:00Z&until=2026-01-01T01:00:00Z',
        headers: { cookie },
      }),
      'admin/security-events, a type that is missing': () => ({
        method: 'GET',
        path: '/api/auth/admin/security-events?type=locked-out',
        headers: { cookie },
      }),
      'admin/list-audit, of one user': () => ({
        method: 'GET',
        path: `/api/auth/admin/audit?userId=${idOf(crowded)}`,
        headers: { cookie },
      }),
      [`organization/list, of ${members} members`]: () => ({
        method: 'GET',
        path: '/api/auth/organization/list',
        headers: { cookie: cookieOf(next++ % members) },
      }),
      [`organization, first page of ${members}`]: () => ({
        method: 'GET',
        path: `/api/auth/organization/get-full-organization?organizationId=${template.organizationId}&membersLimit=50`,
        headers: { cookie },
      }),
      'sign-out': () => ({
        method: 'POST',
        path: '/api/auth/sign-out',
        headers: { cookie: cookieOf(someUser()) },
        body: {},
      }),
      [`cleanup of ${expired} sessions`]: async () => {
        const range = [size + next * expired, size + ++next * expired] as const
        const session = { id: `'old' || n`, token: `'old' || n`, expires_at: '1' }
        await copyRows(database, 'sessions', `user_id = '${template.userId}'`, session, range)
        await countFrom(Date.now())
        return { method: 'GET', path: '/bench/scheduled' }
      },
      'cron run, all users to count': async () => {
        // The days of the new users: after the first run, those that it left.
        if (next++ === 0) await countFrom(Date.now() - 2 * 86_400_000)
        return { method: 'GET', path: '/bench/scheduled' }
      },
    }
    const table = new Map<string, Measured[]>(Object.keys(cases).map((name) => [name, []]))
    for (const count of sizes) {
      const begin = performance.now()
      await grow(database, template, size, count)
      if (size === 0) {
        const member = { id: userId('n'), user_id: userId('n'), role: `'member'` }
        await copyRows(database, 'members', `user_id = '${template.userId}'`, member, [0, Math.min(members, count)])
      }
      if (size === 0) {
        // The maximum that the log and the sessions of a user have.
        const of = `user_id = '${idOf(crowded)}'`
        // The last thousand of ten years, and the sessions of the last hundred days.
        const event = { id: `'event' || n`, created_at: 'created_at + n', number: 'n + 2' }
        await database.prepare(`update security_events set number = 1 where ${of}`).run()
        await copyRows(database, 'security_events', of, event, [0, 999])
        const session = { id: `'many' || n`, token: `'many' || n`, number: `${tenYears} - 99 + n` }
        await copyRows(database, 'sessions', of, session, [0, 99])
        await addRecords(database, template, idOf(crowded))
      }
      size = count
      turn++
      // The server has closed the idle connection.
      connection.close()
      connection = await Connection.open(url)
      console.log(`  ${count} users: made in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
      for (const [name, make] of Object.entries(cases)) {
        const rows: number[] = []
        const times: number[] = []
        next = 0
        for (let n = 0; n < (/^(?:cleanup|cron)/.test(name) ? 3 : calls); n++) {
          const call = await make()
          const sent = performance.now()
          const reply = await ask(call)
          times.push(performance.now() - sent)
          rows.push(Number(headerValues(reply, 'x-rows-read')[0]))
        }
        table.get(name)!.push({ rows: Math.max(...rows), p50: quantile(times, 0.5) })
      }
      print(sizes, table)
    }
    connection.close()
  } finally {
    await miniflare.dispose()
  }
}

const cell = (text: string) => text.padStart(22)

/** Prints the sizes that are measured. */
function print(sizes: readonly number[], table: ReadonlyMap<string, readonly Measured[]>): void {
  console.log(`\n${'rows read at most, p50'.padEnd(52)}${sizes.map((count) => cell(`${count} users`)).join('')}`)
  for (const [name, measured] of table) {
    const cells = measured.map(({ rows, p50 }) => cell(`${rows} rows ${p50.toFixed(0).padStart(6)} ms`))
    console.log(`  ${name.padEnd(50)}${cells.join('')}`)
  }
}
