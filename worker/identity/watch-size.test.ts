import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { days, ms } from '../kit/time.ts'
import type { Env } from '../platform/env.ts'
import { administrator } from '../testing/admins.ts'
import { env, TestApp } from '../testing/harness.ts'
import { alice, signUp } from '../testing/people.ts'
import { count, rowsOf } from '../testing/rows.ts'
import { historyKept } from './history.ts'

/** The size of the database is lowered to a part of what it has, because a test cannot fill it. */
async function appAt(part: number, environment: Partial<Env> = {}): Promise<TestApp> {
  const { meta } = await env.DB.prepare('select 1').run()
  return new TestApp(
    { rateLimit: { enabled: false }, database: { maximumBytes: Math.ceil(meta.size_after / part) } },
    environment,
  )
}

let logged: string[] = []
beforeEach(() => {
  logged = []
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line) => void logged.push(String(line)))
})
afterEach(() => vi.useRealTimers())

const noticesTo = async (app: TestApp) =>
  (await app.mailbox())
    .filter(({ subject }) => subject?.includes('The database of'))
    .map(({ to, subject }) => ({ to, subject }))

describe('the notice to administrators', () => {
  it('is one mail at each level, and one line of the log in each run', async () => {
    const small = await appAt(0.5)
    await administrator(small)
    await env.DB.prepare('update users set email_verified = 1').run()
    const [{ email } = { email: '' }] = (await env.DB.prepare('select email from users').all<{ email: string }>())
      .results
    await small.runScheduled()
    expect(await noticesTo(small)).toEqual([])
    for (const part of [0.72, 0.72, 0.87, 0.87, 0.97, 0.97]) {
      const app = await appAt(part)
      await app.runScheduled()
      await app.runScheduled()
    }
    const subjects = (await noticesTo(small)).map(({ to, subject }) => [to, subject])
    expect(subjects.sort()).toEqual([
      [email, expect.stringMatching(/ 7\d % full$/)],
      [email, expect.stringMatching(/ 8\d % full$/)],
      [email, expect.stringMatching(/ 9\d % full$/)],
    ])
    expect(logged.filter((line) => line.includes('database-nearly-full'))).toHaveLength(12)
  })
})

describe('the history of a nearly full database', () => {
  const ages = [60, 20, 10, 3]

  async function fill(): Promise<void> {
    const app = new TestApp({ rateLimit: { enabled: false } })
    await signUp(app, alice)
    await env.DB.prepare('delete from security_events').run()
    const [{ id } = { id: '' }] = (await env.DB.prepare('select id from users').all<{ id: string }>()).results
    await env.DB.batch(
      ages.map((age) =>
        env.DB.prepare(
          'insert into security_events (id, user_id, type, outcome, request_id, created_at) values (?, ?, ?, ?, ?, ?)',
        ).bind(`event-${age}`, id, 'sign-in', 'success', 'request', Date.now() - ms(days(age))),
      ),
    )
  }

  it.each([
    [0.5, ages],
    [0.84, ages],
    [0.86, [20, 10, 3]],
    [0.93, [3]],
    [0.97, [3]],
  ])('at %f has the events of these ages in days: %j', async (part, left) => {
    await fill()
    await (await appAt(part)).runScheduled()
    const rows = await rowsOf('security_events')
    expect(rows.map(({ id }) => id).sort()).toEqual(left.map((age) => `event-${age}`).sort())
  })

  it('keeps sealed audit records for less than their retention, with the checkpoint that proves it', async () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now - ms(days(60)) })
    const withoutArchive = { ARCHIVE: undefined } as Partial<Env>
    const early = await appAt(0.5, withoutArchive)
    await signUp(early, alice)
    await early.runScheduled()
    vi.setSystemTime(now)
    const records = await count('audit_records')
    expect(records).toBeGreaterThan(0)
    await early.runScheduled()
    expect(await count('audit_records')).toBe(records)
    await (await appAt(0.86, withoutArchive)).runScheduled()
    expect(await count('audit_records')).toBe(0)
    expect(await count('audit_checkpoints')).toBeGreaterThan(0)
  })

  it('is shorter the fuller the database is, and never shorter than its minimum', () => {
    const keptAt = (bytes: number, retention: number) => {
      const { scope } = new TestApp({ database: { maximumBytes: 100 } }).openScope()
      scope.shared.size.note({ size_after: bytes })
      return Math.round(historyKept(scope, days(retention), days(7)) / days(1))
    }
    expect([0, 84, 85, 90, 94, 95, 100].map((bytes) => keptAt(bytes, 400))).toEqual([400, 400, 200, 100, 20, 7, 7])
    // A retention that is configured below the minimum stays.
    expect([84, 85, 100].map((bytes) => keptAt(bytes, 3))).toEqual([3, 3, 3])
  })
})
