import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { administrator, plain } from '../../testing/admins.ts'
import { env, TestApp } from '../../testing/harness.ts'
import { company } from '../../testing/organizations.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count, rowsOf } from '../../testing/rows.ts'
import { addJobs } from '../../testing/states.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { runDueJobs } from './dispatch.ts'
import { claimJobs, claimKind } from './jobs.store.ts'

beforeEach(() => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const hour = 3_600_000
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

async function hoursPass(app: TestApp, ...hours: number[]): Promise<void> {
  for (const each of hours) {
    pass(each * hour)
    await app.runScheduled()
  }
}

/** Writes many jobs of a kind. */
const fill = (kind: string, many: number, { payload = '{}', key = 'null', attempts = 0, age = 0 } = {}) =>
  env.DB.prepare(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})
     insert into jobs (id, kind, key, payload, attempts, next_at, state, created_at)
     select ?1 || ':' || i, ?1, ${key}, ?2, ${attempts}, ?3, 'pending', ?3 from n`,
  )
    .bind(kind, payload, Date.now() - age)
    .run()

const mail = (to: string) =>
  JSON.stringify({ id: to, kind: 'test', to, subject: 'S', text: 'T', html: 'H', madeAt: Date.now(), isAdmitted: true })

const unlimited = { rateLimit: { enabled: false } } as const

function appWith(receivers: WebhookReceiver[], more: Config = {}): TestApp {
  installReceivers(...receivers)
  const endpoints = receivers.map(({ url }) => ({
    name: new URL(url).hostname,
    url,
    events: ['user.*'],
    secrets: ['WEBHOOK_SECRET_ACME'],
  }))
  const secrets = { WEBHOOK_SECRET_ACME: webhookSecret('a') }
  return new TestApp({ ...unlimited, webhooks: { endpoints }, ...more } as Config, secrets as object)
}

const message = JSON.stringify({ type: 'user.updated', timestamp: '2026-01-01T00:00:00.000Z', data: { user: {} } })

describe('a backlog', () => {
  it('of 20,000 jobs of one kind delays another kind by at most one run', async () => {
    const sent: string[] = []
    const app = new TestApp({
      ...unlimited,
      hooks: { userCreated: () => {} },
      mail: { transport: async ({ to }) => void sent.push(to) },
    } as Config)
    await fill('mail', 20_000, { payload: mail('many@example.com') })
    await fill('webhook/unknown', 20_000, { payload: message, key: "'k' || i" })
    pass(1000)
    await addJobs('hooks:user-created', { id: 'x', payload: '{"userId":"unknown"}', nextAt: new Date() })
    await app.runScheduled()
    expect(await count('jobs', { id: 'x' })).toBe(0)
    expect(sent.length).toBeGreaterThan(100)
  })

  it('of a dead endpoint or client delays no other of its kind', async () => {
    const [dead, well] = [
      new WebhookReceiver('https://dead.example.com/'),
      new WebhookReceiver('https://well.example.com/'),
    ]
    dead.answers = 500
    const app = appWith([dead, well])
    await fill('webhook/dead.example.com', 10_000, { payload: message, key: "'k' || i" })
    await fill('webhook/well.example.com', 1, { payload: message, key: "'k'" })
    await app.runScheduled()
    expect(well.taken).toHaveLength(1)
    expect(dead.requests).toHaveLength(6)
    await app.runScheduled()
    expect(dead.requests).toHaveLength(6)
  })

  it('stays within the statements that D1 takes of one invocation', async () => {
    let statements = 0
    const counting = <T extends object>(connection: T): T =>
      new Proxy(connection, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown
          if (typeof value !== 'function') return value
          if (name === 'withSession') return (from: string) => counting(value.call(target, from))
          return (...given: unknown[]) => {
            if (name === 'prepare') statements++
            return value.apply(target, given)
          }
        },
      })
    const app = new TestApp({ ...unlimited, mail: { transport: async () => {} } }, { DB: counting(env.DB) })
    await fill('mail', 5000, { payload: mail('many@example.com') })
    await fill('billing-customer', 2000, { payload: '{"userId":"gone"}' })
    await app.runScheduled()
    expect(statements).toBeLessThan(1000)
  })
})

describe('a dead receiver of webhooks', () => {
  it('is called at most three times by requests that write events, and then rests', async () => {
    const receiver = new WebhookReceiver()
    receiver.answers = 500
    const app = appWith([receiver])
    const people = Array.from({ length: 6 }, (_, n) => ({ ...alice, email: `u${n}@example.com` }))
    for (const person of people) await signUp(app, person)
    expect(receiver.requests).toHaveLength(3)
    // The rest is over. One request finds out whether the target is reachable.
    pass(2 * 60_000)
    await app.runScheduled()
    expect(receiver.requests).toHaveLength(4)
    receiver.answers = null
    await hoursPass(app, 1)
    expect(new Set(receiver.taken.map(({ data }) => data.user.email)).size).toBe(6)
  })

  it('keeps nothing beyond the time to give up, which is one statement', async () => {
    const receiver = new WebhookReceiver()
    receiver.answers = 500
    const app = appWith([receiver])
    const kind = `webhook/${new URL(receiver.url).hostname}`
    await fill(kind, 900, { payload: message, key: "'k' || (i % 50)", age: 30 * 24 * hour })
    await app.runScheduled()
    const failed = (await rowsOf('jobs', { state: 'failed' })).filter(({ lastError }) => lastError?.includes('500'))
    expect({
      failedJobs: failed.length,
      pendingJobs: await count('jobs', { state: 'pending' }),
    }).toEqual({ failedJobs: 900, pendingJobs: 0 })
  })
})

describe('a job', () => {
  it('whose payload cannot be opened is given up at once, and is listed', async () => {
    const app = new TestApp(unlimited)
    await fill('mail', 1, { payload: 'sealed by a secret that is gone' })
    await app.runScheduled()
    const answer = await app.serverApi().undelivered()
    expect(answer).toMatchObject({
      ok: true,
      result: {
        jobs: [
          { kind: 'mail', state: 'failed', attempts: 1, lastError: expect.stringContaining('read'), nextAt: null },
        ],
      },
    })
  })

  it('happens once for each id, however often it is written', async () => {
    const sent: string[] = []
    const app = new TestApp({ ...unlimited, mail: { transport: async ({ to }) => void sent.push(to) } })
    const { scope, settle } = app.openScope()
    const payload = JSON.parse(mail('once@example.com')) as object
    for (let n = 0; n < 3; n++) {
      const work = unitOfWork(scope)
      work.defer('mail', payload, { id: 'once' })
      await work.commit()
    }
    await settle()
    expect(sent).toEqual(['once@example.com'])
    expect(await count('jobs')).toBe(0)
  })

  it('is redelivered alone or with all of its kind, by who may', async () => {
    let works = false
    const sent: string[] = []
    const transport = async ({ to }: { to: string }) => {
      if (!works) throw new Error('down')
      sent.push(to)
    }
    const app = new TestApp({ ...unlimited, mail: { transport }, emailVerification: { sendOnSignUp: false } } as Config)
    const boss = await administrator(app)
    const person = await plain(app, alice)
    const { scope, settle } = app.openScope()
    const work = unitOfWork(scope)
    for (const name of ['a', 'b', 'c']) work.defer('mail', JSON.parse(mail(`${name}@example.com`)))
    await work.commit()
    await settle()
    expect((await person.device.get('/admin/undelivered')).body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_LIST_JOBS')
    const refused = await person.device.post('/admin/redeliver', { kind: 'mail' })
    expect(refused.body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_REDELIVER_JOBS')
    const first = await boss.device.get('/admin/undelivered', { query: { limit: '2', kind: 'mail' } })
    expect(first.body.jobs).toMatchObject([
      { kind: 'mail', state: 'waiting', attempts: 1, lastError: 'down' },
      { kind: 'mail', state: 'waiting', attempts: 1, lastError: 'down' },
    ])
    const cursor = first.body.nextCursor
    const second = await boss.device.get('/admin/undelivered', { query: { limit: '2', kind: 'mail', cursor } })
    expect({ jobs: second.body.jobs.length, nextCursor: second.body.nextCursor }).toEqual({ jobs: 1, nextCursor: null })
    expect((await boss.device.get('/admin/undelivered', { query: { cursor: 'x' } })).body.code).toBe('INVALID_CURSOR')
    const one = () => boss.device.post('/admin/redeliver', { id: second.body.jobs[0].id })
    expect((await one()).body).toEqual({ delivered: false, revived: 1 })
    works = true
    expect((await one()).body).toEqual({ delivered: true, revived: 1 })
    expect((await one()).body.code).toBe('JOB_NOT_FOUND')
    expect((await boss.device.post('/admin/redeliver', { kind: 'mail' })).body).toEqual({
      delivered: false,
      revived: 2,
    })
    expect(sent.toSorted()).toEqual(['a@example.com', 'b@example.com', 'c@example.com'])
    expect((await boss.device.get('/admin/undelivered')).body).toEqual({ jobs: [], nextCursor: null })
  })

  it('is claimed by an index: a claim reads little of a backlog', async () => {
    await fill('webhook/other', 5000, { payload: message, key: "'k' || (i % 1000)" })
    const rowsRead = async (statement: { toSQL(): { sql: string; params: unknown[] } }) => {
      const { sql, params } = statement.toSQL()
      return (
        await env.DB.prepare(sql)
          .bind(...params)
          .run()
      ).meta.rows_read
    }
    const { scope } = new TestApp(unlimited).openScope()
    const now = new Date(Date.now() + 1000)
    expect(await rowsRead(claimKind(scope.db, 'webhook/other', 6, now, now))).toBeLessThan(400)
    expect(await rowsRead(claimJobs(scope.db, ['webhook/other:4999'], now, now, false))).toBeLessThan(30)
  })
})

describe('mails', () => {
  const down = () => {
    const state = { works: false }
    const sent: string[] = []
    const transport = async ({ to }: { to: string }) => {
      if (!state.works) throw new Error('down')
      sent.push(to)
    }
    return { state, sent, transport }
  }

  it('all come with the first run after an outage, and an invitation for as long as it is valid', async () => {
    const { state, sent, transport } = down()
    const app = new TestApp({ ...unlimited, mail: { transport } })
    const { device } = (await company(app, 'acme')).owner
    for (let n = 0; n < 5; n++)
      await device.post('/organization/invite-member', { email: `m${n}@example.com`, role: 'member' })
    await hoursPass(app, 1, 4, 4, 4, 4, 4, 4, 4)
    state.works = true
    await hoursPass(app, 10)
    expect(sent.filter((to) => to.startsWith('m')).length).toBe(5)
    expect(await count('jobs', { state: 'pending' })).toBe(0)
  })

  it('of a code that has expired are not sent', async () => {
    const { state, sent, transport } = down()
    const app = new TestApp(
      { ...unlimited, mail: { transport }, emailVerification: { sendOnSignUp: false } } as Config,
      {},
      false,
    )
    await signUp(app, alice)
    await app.device().post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
    expect(await count('jobs', { kind: 'mail', state: 'pending' })).toBe(1)
    state.works = true
    await hoursPass(app, 1)
    expect({ sent, mailJobs: await count('jobs', { kind: 'mail' }) }).toEqual({ sent: [], mailJobs: 0 })
  })
})

describe('a queue', () => {
  it('gets the jobs of a request, and those that failed with their pause; its consumer does them', async () => {
    const messages: { body: { jobs: readonly string[] }; delaySeconds?: number }[] = []
    let works = false
    const sent: string[] = []
    const JOBS = {
      send: async (body: { jobs: readonly string[] }) => void messages.push({ body }),
      sendBatch: async (batch: typeof messages) => void messages.push(...batch),
    }
    const transport = async ({ to }: { to: string }) => {
      if (!works) throw new Error('down')
      sent.push(to)
    }
    const app = new TestApp({ ...unlimited, mail: { transport } }, { JOBS } as object)
    await signUp(app, alice)
    expect({ messages: messages.length, sent: sent.length, mailJobs: await count('jobs', { kind: 'mail' }) }).toEqual({
      messages: 1,
      sent: 0,
      mailJobs: 1,
    })
    await app.runQueue([messages[0]!.body])
    expect(messages[1]).toMatchObject({ delaySeconds: 60 })
    works = true
    // The job is not due.
    await app.runQueue([messages[1]!.body])
    expect(sent).toEqual([])
    pass(60_000)
    await app.runQueue([messages[1]!.body])
    expect({ sent, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
      sent: [alice.email],
      pendingJobs: 0,
    })
  })

  it('that cannot be reached leaves the jobs to the request', async () => {
    const sent: string[] = []
    const JOBS = { send: () => Promise.reject(new Error('down')) }
    const app = new TestApp({ ...unlimited, mail: { transport: async ({ to }) => void sent.push(to) } }, {
      JOBS,
    } as object)
    await signUp(app, alice)
    expect(sent).toEqual([alice.email])
  })
})

describe('two runs at the same time', () => {
  it('do each job once', async () => {
    const sent: string[] = []
    const app = new TestApp({ ...unlimited, mail: { transport: async ({ to }) => void sent.push(to) } })
    await fill('mail', 100, { payload: mail('one@example.com') })
    const runs = Array.from({ length: 10 }, () => app.openScope())
    await Promise.all(runs.map(({ scope }) => runDueJobs(scope)))
    await app.runScheduled()
    expect({ sent: sent.length, jobs: await count('jobs') }).toEqual({ sent: 100, jobs: 0 })
  })
})
