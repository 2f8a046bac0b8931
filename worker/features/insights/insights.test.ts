import { afterEach, describe, expect, it, vi } from 'vitest'
import { administrator, plain } from '../../testing/admins.ts'
import { env, TestApp } from '../../testing/harness.ts'
import { noting } from '../../testing/noting.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { count, insertRows, rowsOf } from '../../testing/rows.ts'

const unlimited = { rateLimit: { enabled: false } }
const minute = 60_000
const day = 86_400_000
const noon = Date.parse('2026-05-04T12:00:00Z')

const at = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time })
afterEach(() => void vi.useRealTimers())

interface Numbers {
  from: string
  to: string
  countedAt: string | null
  series: { name: string; label: string; counts: (number | null)[] }[]
}

/** The last counts of each series. */
const latest = ({ series }: Numbers, length = 1) =>
  Object.fromEntries(series.map(({ name, label, counts }) => [[name, label].join(' ').trim(), counts.slice(-length)]))

/** Sessions of a set-up have no sign-in in the log. */
const useAgain = (userId: string) =>
  env.DB.prepare('update sessions set updated_at = created_at + 1 where user_id = ?').bind(userId).run()

describe('GET /admin/insights', () => {
  it('200: each day, each sign-up and sign-in once, although the job runs often', async () => {
    at(noon)
    const app = new TestApp(unlimited)
    const admin = await administrator(app)
    const ask = async () => (await admin.device.get('/admin/insights', { query: { days: '7' } })).body as Numbers
    expect(await ask()).toMatchObject({
      from: '2026-04-28',
      to: '2026-05-04',
      countedAt: null,
      takenBaseUrl: null,
      series: [],
    })
    await signUp(app, alice)
    await app.device().post('/sign-in/anonymous')
    await app.device().post('/sign-in/email', { email: alice.email, password: 'wrong-password' })
    // What has just happened may not be committed yet.
    await app.runScheduled()
    expect(latest(await ask())['sign-up']).toBeUndefined()
    at(noon + 5 * minute)
    await app.runScheduled()
    await app.runScheduled()
    await signIn(app, alice)
    at(noon + 10 * minute)
    await app.runScheduled()
    await app.runScheduled()
    const numbers = await ask()
    expect(numbers.countedAt).toBe(new Date(noon + 8 * minute).toISOString())
    expect(latest(numbers, 2)).toMatchObject({
      // The administrator of the test has no sign-in.
      'sign-up': [0, 2],
      'sign-up guest': [0, 1],
      'sign-in sign-up': [0, 1],
      'sign-in email': [0, 1],
      'sign-in anonymous': [0, 1],
      'sign-in-failed password': [0, 1],
    })
  })

  it('200: active users of a day, a week and a month; an impersonation is not an activity', async () => {
    at(noon - 35 * day)
    const app = new TestApp(unlimited)
    await signUp(app, bob)
    at(noon - 10 * day)
    await signUp(app, alice)
    at(noon)
    const admin = await administrator(app)
    await useAgain(admin.id)
    const other = await plain(app, { ...alice, name: 'Cy', email: 'cy@example.com' })
    await useAgain(other.id)
    await env.DB.prepare("update sessions set impersonated_by = 'x' where user_id = ?").bind(other.id).run()
    for (let run = 0; run < 3; run++) await app.runScheduled()
    at(noon + 70 * minute)
    await app.runScheduled()
    const { body } = await admin.device.get('/admin/insights', { query: { days: '90' } })
    const active = latest(body as Numbers, 12)
    expect(active['active day']!.filter((n) => n !== 0)).toEqual([1, 1])
    expect(active['active week']).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1])
    expect(active['active month']).toEqual([1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 2])
    // The deployment began 35 days ago.
    expect(latest(body as Numbers, 90)['active day']!.slice(0, 54)).toEqual(Array(54).fill(null))
    // A deleted user remains in what is counted, and the sums are those of the users.
    const days = await rowsOf('active_days')
    expect(days.reduce((sum, row) => sum + Number(row.count), 0)).toBe(await count('active_users'))
    expect(days.filter((row) => Number(row.count) < 0)).toEqual([])
    // Users without activity are forgotten.
    expect((await rowsOf('active_users')).map(({ lastDay }) => lastDay)).not.toContain(Math.floor(noon / day) - 35)
  })

  it('200: the numbers of one moment agree: who has just signed in is active, and a mail that has just failed is shown', async () => {
    at(noon)
    const app = new TestApp(unlimited)
    const { device, id } = await administrator(app)
    await useAgain(id)
    // Stored for this hour.
    await app.runScheduled()
    await signUp(app, alice)
    at(noon + 5 * minute)
    await app.runScheduled()
    await insertRows('jobs', {
      id: 'failed',
      kind: 'mail',
      payload: '{}',
      attempts: 9,
      state: 'failed',
      nextAt: new Date(noon + day),
      createdAt: new Date(noon),
    })
    const numbers = latest((await device.get('/admin/insights')).body as Numbers)
    expect(numbers).toMatchObject({
      'sign-up': [2],
      'sign-in sign-up': [1],
      'active day': [2],
      'active week': [2],
      'active month': [2],
      undelivered: [1],
    })
  })

  it('200: a user who comes again is counted once, on the last day', async () => {
    at(noon - 3 * day)
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    at(noon)
    await signIn(app, alice)
    at(noon + 10 * minute)
    for (let run = 0; run < 3; run++) await app.runScheduled()
    const days = await rowsOf('active_days')
    expect(days.map((row) => [row.day - Math.floor(noon / day), row.count]).sort()).toEqual([
      [-3, 0],
      [0, 1],
    ])
  })

  it('200: undelivered mails, and no other jobs', async () => {
    at(noon)
    const app = new TestApp(unlimited)
    const job = { payload: '{}', nextAt: new Date(noon + day), createdAt: new Date(noon - day) }
    await insertRows(
      'jobs',
      { ...job, id: 'a', kind: 'mail', attempts: 9, state: 'failed' },
      { ...job, id: 'b', kind: 'mail', attempts: 1, state: 'pending' },
      { ...job, id: 'c', kind: 'mail', attempts: 0, state: 'pending' },
      { ...job, id: 'd', kind: 'webhook/a', attempts: 2, state: 'pending' },
    )
    const { device } = await administrator(app)
    await app.runScheduled()
    const { body } = await device.get('/admin/insights')
    expect(latest(body as Numbers).undelivered).toEqual([2])
  })

  it('resumes where a run has ended, and deletes numbers after 400 days', async () => {
    at(noon)
    const app = new TestApp(unlimited)
    const { id } = await administrator(app)
    await insertRows('daily_counts', { day: Math.floor(noon / day) - 401, name: 'sign-up', label: '', count: 1 })
    const event = { userId: id, type: 'sign-in', outcome: 'success', method: 'email', requestId: 'r' } as const
    // The busiest millisecond has more rows than a window.
    const rows = Array.from({ length: 2500 }, (_, n) => `('e${n}', '${noon - day - (n % 3 === 0 ? n : 0)}')`)
    for (let from = 0; from < rows.length; from += 500) {
      await env.DB.prepare(
        `insert into security_events (id, user_id, type, outcome, method, request_id, created_at)
         select column1, ?1, ?2, 'success', 'email', 'r', cast(column2 as integer) from (values ${rows.slice(from, from + 500).join()})`,
      )
        .bind(id, event.type)
        .run()
    }
    await insertRows('security_events', { ...event, id: 'old', createdAt: new Date(noon - 60 * day) })
    await app.runScheduled()
    expect((await rowsOf('daily_counts', { name: 'sign-in' })).map((row) => row.count)).toEqual([1])
    for (let run = 0; run < 2; run++) await app.runScheduled()
    const counts = await rowsOf('daily_counts', { name: 'sign-in' })
    expect(counts.map((row) => row.count)).toEqual([1, 2500])
    expect(await count('daily_counts', { day: Math.floor(noon / day) - 401 })).toBe(0)
  })

  it('reads few rows, and the job reads only what is new', async () => {
    at(noon)
    const { asked, db } = noting()
    const app = new TestApp(unlimited, { DB: db })
    const { device, id } = await administrator(app)
    // Many users and events of earlier days, which are counted.
    const many = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)`
    await env.DB.batch([
      env.DB.prepare(
        `${many} insert into users (id, name, email, created_at, updated_at)
         select 'u' || i, 'N', 'u' || i || '@example.com', ?1 - i, ?1 from n`,
      ).bind(noon - 2 * day),
      env.DB.prepare(
        `${many} insert into security_events (id, user_id, type, outcome, method, request_id, created_at)
         select 'e' || i, ?2, 'sign-in', 'success', 'email', 'r', ?1 - i from n`,
      ).bind(noon - 2 * day, id),
      env.DB.prepare('insert into count_progress (name, until) values (?1, ?2)').bind('days', noon - day),
      env.DB.prepare(
        `with recursive n (i) as (select 0 union all select i + 1 from n where i < 399)
         insert into daily_counts (day, name, label, count)
         select ?1 - i, 'sign-in', label.value, 5 from n, json_each('["email","google","passkey"]') as label`,
      ).bind(Math.floor(noon / day) - 1),
    ])
    asked.length = 0
    await device.get('/admin/insights', { query: { days: '90' } })
    const read = asked.reduce((sum, one) => sum + one.read, 0)
    expect(read).toBeLessThan(400)
    asked.length = 0
    await app.runScheduled()
    const ours = asked.filter(({ sql }) => /daily_counts|active_users|count_progress/.test(sql))
    expect(ours.length).toBeGreaterThan(5)
    expect(ours.reduce((sum, one) => sum + one.read, 0)).toBeLessThan(200)
    for (const { sql } of ours) {
      const values = (sql.match(/\?/g) ?? []).map(() => 1)
      const plan = await env.DB.prepare(`explain query plan ${sql}`)
        .bind(...values)
        .all<{ detail: string }>()
      const scans = plan.results.filter(({ detail }) => /^SCAN (?!CONSTANT|newest|seen|\()/.test(detail))
      expect({ sql, scans }).toEqual({ sql, scans: [] })
    }
  })

  it('403 without the permission to list users, 401 for a visitor, 400 for another range', async () => {
    const app = new TestApp(unlimited)
    const { device } = await plain(app, alice)
    expect((await device.get('/admin/insights')).status).toBe(403)
    expect((await app.device().get('/admin/insights')).status).toBe(401)
    const admin = await administrator(app)
    expect((await admin.device.get('/admin/insights', { query: { days: '365' } })).status).toBe(400)
  })
})
