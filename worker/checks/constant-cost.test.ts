import { describe, expect, it } from 'vitest'
import { administrator } from '../testing/admins.ts'
import { insertCopies, written } from '../testing/bounds/bounds.ts'
import { env, TestApp } from '../testing/harness.ts'
import { type Metered, metering } from '../testing/metering.ts'
import { company } from '../testing/organizations.ts'
import { alice, bob, signIn, signUp } from '../testing/people.ts'
import { count, insertRows, rowsOf } from '../testing/rows.ts'
import { idOf } from '../testing/states.ts'

/** What a sign-in costs does not depend on how often the user has signed in before, and the caps hold. */

const unlimited = { rateLimit: { enabled: false } }

/** Sessions and events as an earlier version has written them, from before today. */
async function fill(userId: string, sessions: number, events: number): Promise<void> {
  await insertCopies('sessions', sessions, {
    ...{
      id: 's#',
      userId,
      token: 't#',
      expiresAt: new Date(9_000_000_000_000),
      authenticatedAt: new Date(1),
      ...written(),
    },
  })
  await insertCopies('security_events', events, {
    ...{ id: 'e#', userId, type: 'sign-in', outcome: 'success', requestId: 'r', userAgent: 'harness/1.0' },
    createdAt: new Date(Date.now() - 86_400_000),
  })
}

const sessionsOf = (userId: string) => count('sessions', { userId })
const numbersOf = async (userId: string) =>
  (await rowsOf('security_events'))
    .filter((row) => row.userId === userId)
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .map(({ number }) => number)

describe('a sign-in', () => {
  it('reads at most 30 rows before the response, of a fresh user and of one with all rows that a user can have', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    await signUp(app, bob)
    const id = await idOf(bob.email)
    await fill(id, 99, 999)
    const read = async (person: typeof alice, headers = {}) =>
      (await app.device().post('/sign-in/email', person, { headers })).rows.read
    const costs = {
      fresh: await read(alice),
      // The first one numbers what an earlier version has written, after the response.
      first: await read(bob),
      second: await read(bob),
      newDevice: await read(bob, { 'user-agent': 'another/1.0' }),
    }
    expect(Object.entries(costs).filter(([, rows]) => rows > 30)).toEqual([])
    expect({ sessions: await sessionsOf(id), events: (await numbersOf(id)).length }).toEqual({
      sessions: 100,
      events: 1000,
    })
  })

  it('that fails reads at most 10 rows before the response', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, bob)
    await fill(await idOf(bob.email), 99, 999)
    expect((await app.device().post('/sign-in/email', { ...bob, password: 'a-wrong-one' })).rows.read).toBeLessThan(10)
  })
})

describe('the maximum of sessions', () => {
  it('ends the oldest, and never a session of a user who has fewer, however often others began and ended', async () => {
    const app = new TestApp({ ...unlimited, session: { maxPerUser: 3 } })
    const first = await signUp(app, alice)
    const second = await signIn(app, alice)
    for (let time = 0; time < 6; time++) await (await signIn(app, alice)).post('/sign-out')
    const isIn = async (device: typeof first) =>
      (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body !== null
    expect([await isIn(first), await isIn(second)]).toEqual([true, true])
    await signIn(app, alice)
    // One in the middle has ended: its number is not that of a session.
    await second.post('/sign-out')
    await signIn(app, alice)
    expect(await isIn(first)).toBe(true)
    await signIn(app, alice)
    expect({ first: await isIn(first), sessions: await count('sessions') }).toEqual({ first: false, sessions: 3 })
  })

  it('holds after sign-ins at the same time, and after it was lowered', async () => {
    const app = new TestApp({ ...unlimited, session: { maxPerUser: 5 } })
    await signUp(app, alice)
    await Promise.all(Array.from({ length: 12 }, () => signIn(app, alice)))
    expect(await count('sessions')).toBe(5)
    await signIn(new TestApp({ ...unlimited, session: { maxPerUser: 2 } }), alice)
    expect(await count('sessions')).toBe(2)
  })

  it('holds for sessions of an earlier version, which have no number', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const id = await idOf(alice.email)
    await env.DB.prepare('update sessions set number = null').run()
    await fill(id, 110, 0)
    await signIn(app, alice)
    expect(await sessionsOf(id)).toBe(100)
    // No number is unknown any more: further sign-ins count nothing until one could be too many.
    await env.DB.prepare(`delete from sessions where id like 's%' and length(id) < 5`).run()
    await signIn(app, alice)
    await signIn(app, alice)
    const { results } = await env.DB.prepare('select number from sessions order by rowid desc limit 1').all()
    expect(results[0]!.number).toBeLessThan(5)
  })
})

describe('the maximum of events in the sign-in log', () => {
  it('holds after events at the same time, whose numbers have no gap', async () => {
    const app = new TestApp({ ...unlimited, securityLog: { maxPerUser: 5 } })
    await signUp(app, alice)
    await Promise.all(Array.from({ length: 12 }, () => signIn(app, alice)))
    const numbers = await numbersOf(await idOf(alice.email))
    expect(numbers).toEqual([9, 10, 11, 12, 13])
  })

  it('holds for events of an earlier version, older or newer than those with a number', async () => {
    const app = new TestApp({ ...unlimited, securityLog: { maxPerUser: 5 } })
    await signUp(app, alice)
    const id = await idOf(alice.email)
    await fill(id, 0, 8)
    await signIn(app, alice)
    expect(await numbersOf(id)).toEqual([6, 7, 8, 9, 10])
    await env.DB.prepare('update security_events set number = null').run()
    await signIn(app, alice)
    expect(await numbersOf(id)).toEqual([2, 3, 4, 5, 6])
  })

  it('that was lowered is reached in steps', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const id = await idOf(alice.email)
    await fill(id, 0, 10)
    await signIn(app, alice)
    const lowered = new TestApp({ ...unlimited, securityLog: { maxPerUser: 5 } })
    for (const left of [8, 5, 5]) {
      await signIn(lowered, alice)
      expect((await numbersOf(id)).length).toBe(left)
    }
  })
})

describe('a run of the cron trigger', () => {
  it('reads administrators, and not all users, for a notice to them', async () => {
    const ran: Metered[] = []
    const config = { ...unlimited, database: { maximumBytes: 1_000_000 } }
    const app = new TestApp(config, { DB: metering(env.DB, (one) => ran.push(one)) })
    await administrator(app)
    await signUp(app, alice)
    const { id: _, ...user } = (await rowsOf('users')).find(({ email }) => email === alice.email)!
    await insertCopies('users', 500, { ...user, id: 'u#', email: 'u#@example.com' })
    ran.length = 0
    await app.runScheduled()
    const notices = ran.filter(({ sql }) => /from "users".*limit/s.test(sql) && sql.includes('named'))
    expect(notices.length).toBeGreaterThan(0)
    expect(notices.filter(({ read }) => read > 30)).toEqual([])
  })

  it('reads what is not sealed, and not the sealed records of an organization', async () => {
    const app = new TestApp(unlimited)
    const { id, owner } = await company(app, 'acme')
    await app.runScheduled()
    const { seq, ...record } = (await rowsOf('audit_records')).find(({ organizationId }) => organizationId === id)!
    const copies = Array.from({ length: 100 }, (_, n) => ({ ...record, id: `r${n}`, organizationSeq: 1000 + n }))
    for (let first = 0; first < 1000; first += 100) {
      await insertRows(
        'audit_records',
        ...copies.map((one) => ({ ...one, organizationSeq: one.organizationSeq + first })),
      )
    }
    await env.DB.batch([
      env.DB.prepare(`update audit_chains set sealed_seq = (select max(seq) from audit_records) where chain = ''`),
      env.DB.prepare('update audit_chains set sealed_seq = 1999 where chain = ?').bind(id),
    ])
    await owner.device.post('/organization/update', { organizationId: id, data: { name: 'Another' } })
    const ran: Metered[] = []
    await new TestApp(unlimited, { DB: metering(env.DB, (one) => ran.push(one)) }).runScheduled()
    const sealing = ran.filter(({ sql }) => sql.includes('row_number()'))
    expect(sealing.length).toBeGreaterThan(0)
    expect(sealing.filter(({ read }) => read > 100)).toEqual([])
    expect((await rowsOf('audit_records')).filter(({ hash }) => hash === null)).toEqual([])
  })
})

describe('the audit log', () => {
  const minute = 60_000
  const begin = Date.parse('2026-01-01T00:00:00Z')
  const at = (minutes: number) => new Date(begin + minutes * minute).toISOString()

  /** 3,000 records, one a minute, each ninth of an organization; every second one is missing. A commit can be 9 minutes late. */
  async function log() {
    const app = new TestApp(unlimited)
    const { id, device } = await administrator(app)
    await env.DB.prepare(
      `insert into audit_records
         (seq, id, created_at, action, actor_type, actor_id, subject_type, subject_id, organization_id, organization_seq)
       with recursive numbers(n) as (select 1 union all select n + 2 from numbers where n < 6000)
       select n, 'r' || n, ?1 + (n / 2 - n % 10) * ?2, iif(n = 5, 'ban-user', 'sign-in.email'), 'user',
         iif(n % 100 = 1, ?3, 'u'), 'user', iif(n % 200 = 1, ?3, 'u'), iif(n % 9 = 0, 'acme', null), iif(n % 9 = 0, n / 9, null)
       from numbers`,
    )
      .bind(begin, minute, id)
      .run()
    const stored = (await rowsOf('audit_records')).filter(({ seq }) => seq <= 6001)
    /** All pages, and the most rows that one has read. */
    async function ask(query: Record<string, string>) {
      const found: string[] = []
      let [read, cursor, pages] = [0, '', 0]
      for (; pages < 40; pages++) {
        const answer = await device.get('/admin/audit', {
          query: { limit: '100', ...query, ...(cursor && { cursor }) },
        })
        read = Math.max(read, answer.rows.read)
        found.push(...answer.body.entries.map((entry: { id: string }) => entry.id))
        cursor = answer.body.nextCursor
        if (!cursor) break
      }
      return { found: found.filter((one) => /^r\d+$/.test(one)), read }
    }
    const newest = (which: (row: (typeof stored)[number]) => boolean) =>
      stored
        .filter(which)
        .sort((a, b) => b.seq - a.seq)
        .map((row) => row.id)
    return { id, ask, newest }
  }

  it('has the records of a period, and reads few others', async () => {
    const { ask, newest } = await log()
    const within = (from: number, to: number) =>
      newest(
        ({ createdAt }) => createdAt.getTime() >= begin + from * minute && createdAt.getTime() < begin + to * minute,
      )
    for (const [from, to] of [
      ...Array.from({ length: 10 }, (_, n) => [1000 + n, 1007 + n] as const),
      [-20, 30],
      [2980, 4000],
      [5000, 6000],
    ] as const) {
      const { found, read } = await ask({ since: at(from), until: at(to) })
      expect(found).toEqual(within(from, to))
      expect(read).toBeLessThan(450)
    }
    const { found, read } = await ask({ until: at(25) })
    expect(found).toEqual(within(-100, 25))
    expect(read).toBeLessThan(300)
  })

  it('has the records of an action and of an actor, and compares a window of others for a page', async () => {
    const { id, ask, newest } = await log()
    for (const [query, which] of [
      [{ action: 'ban-user' }, ({ action }) => action === 'ban-user'],
      [{ actorId: id }, ({ actorId }) => actorId === id],
      [{ actorId: 'u' }, ({ actorId }) => actorId === 'u'],
      [{ userId: id }, ({ subjectId }) => subjectId === id],
      [{ userId: id, actorId: 'u' }, () => false],
      [{ userId: 'u', actorId: id }, ({ subjectId, actorId }) => actorId === id && subjectId === 'u'],
    ] satisfies [Record<string, string>, Parameters<typeof newest>[0]][]) {
      const { found, read } = await ask(query)
      expect(found).toEqual(newest(which))
      expect(read).toBeLessThan(5100)
    }
  })
})

describe('the sign-in log of all users', () => {
  it('has the events of a type, and compares a window of others for a page', async () => {
    const app = new TestApp(unlimited)
    const { device } = await administrator(app)
    await signUp(app, bob)
    const id = await idOf(bob.email)
    await fill(id, 0, 1500)
    await env.DB.prepare('update security_events set created_at = created_at - rowid').run()
    const old = { userId: id, outcome: 'success', requestId: 'r' } as const
    await insertRows('security_events', { ...old, id: 'rare', type: 'password-changed', createdAt: new Date(1000) })
    const ask = (cursor?: string) =>
      device.get('/admin/security-events', { query: { type: 'password-changed', ...(cursor && { cursor }) } })
    const first = await ask()
    expect(first.body).toMatchObject({ events: [], next: expect.any(String), searchedTo: expect.any(String) })
    expect(first.rows.read).toBeLessThan(3100)
    const second = await ask(first.body.next)
    expect(second.body).toMatchObject({ events: [{ id: 'rare' }], next: null, searchedTo: null })
  })
})
