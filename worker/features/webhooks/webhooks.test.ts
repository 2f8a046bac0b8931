import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { runDueJobs } from '../../identity/jobs/dispatch.ts'
import { TestApp } from '../../testing/harness.ts'
import { company } from '../../testing/organizations.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { updateRows } from '../../testing/rows.ts'
import { deleteUsers, jobsOf } from '../../testing/states.ts'
import type { EventPattern } from './webhooks.config.ts'

const unlimited = { rateLimit: { enabled: false } } as const

beforeEach(() => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface Settings {
  receivers?: { receiver: WebhookReceiver; events?: EventPattern[]; secrets?: string[]; name?: string }[]
  env?: Record<string, string>
  webhooks?: object
  more?: Config
}

/** All events except those of the sign-in log, which follow from others: these tests count messages. */
const everyEvent: EventPattern[] = ['user.*', 'session.*', 'password.*', 'organization.*', 'member.*', 'invitation.*']

/** An app whose receivers subscribe to all of these by default. */
function appWith({ receivers = [], env = {}, webhooks = {}, more = {} }: Settings): TestApp {
  installReceivers(...receivers.map(({ receiver }) => receiver))
  const endpoints = receivers.map(
    ({ receiver: { url }, events = everyEvent, secrets = ['WEBHOOK_SECRET_ACME'], name }) => ({
      ...{ url, events, secrets },
      ...(name ? { name } : {}),
    }),
  )
  const secrets = { WEBHOOK_SECRET_ACME: webhookSecret('a'), ...env }
  return new TestApp({ ...unlimited, webhooks: { endpoints, ...webhooks }, ...more } as Config, secrets as object)
}

function acme(webhooks: object = {}) {
  const receiver = new WebhookReceiver()
  return { app: appWith({ receivers: [{ receiver }], webhooks }), receiver }
}

const rows = async () =>
  (await jobsOf('webhook'))
    .filter(({ state }) => state !== 'resting')
    .map(({ id, payload, state, attempts, lastError }) => ({
      id,
      type: payload === null ? null : JSON.parse(payload).type,
      state: state === 'done' ? 'delivered' : state,
      attempts,
      last_error: lastError,
    }))
const states = async () => (await rows()).map(({ state }) => state)

const hour = 3_600_000
function passTime(milliseconds: number): void {
  const now = Date.now() + milliseconds
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now)
}

/** The cron trigger after each of these hours. */
async function hoursPass(app: TestApp, ...waits: number[]): Promise<void> {
  for (const hours of waits) {
    passTime(hours * hour)
    await app.runScheduled()
  }
}

const newNames = async (app: TestApp, person = alice, names: string[] = []) => {
  const device = await signUp(app, person)
  for (const name of names) await device.post('/update-user', { name })
  return device
}

describe('a message', () => {
  it('contains what get-session returns, signed as Standard Webhooks requires, without secrets', async () => {
    const receiver = new WebhookReceiver()
    const level = { type: 'number' } as const
    const additionalFields = { level, tags: { type: 'string[]' }, inner: { type: 'string', returned: false } }
    const app = appWith({ receivers: [{ receiver }], more: { user: { additionalFields } } as Config })
    const device = await signUp(app, alice, { level: 3, tags: ['a', 'b"'], inner: 'hidden' })
    const { user, session } = (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body
    expect(receiver.types).toEqual(['user.created', 'session.created'])
    const [created, signedIn] = receiver.taken
    expect(created!.data).toEqual({ user })
    const { token, ...known } = session
    expect(signedIn!.data.user).toEqual(user)
    expect(signedIn!.data.session).toMatchObject({ ...known, method: 'sign-up' })
    const bodies = receiver.requests.map(({ body }) => body).join()
    expect(bodies).not.toContain(token)
    expect(bodies).not.toMatch(/password|scrypt|hidden|securityVersion/)
    expect(created!.id).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(created!.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('contains what was stored, under concurrent writes', async () => {
    const { app, receiver } = acme()
    const device = await signUp(app, alice)
    const changes = [{ name: 'Al' }, { image: 'https://example.com/a.png' }, { username: 'Alice' }]
    await Promise.all(changes.map((change) => device.post('/update-user', change)))
    await app.runScheduled()
    const last = receiver.taken.filter(({ type }) => type === 'user.updated').at(-1)!
    expect(last.data.user).toMatchObject({ name: 'Al', image: 'https://example.com/a.png', username: 'alice' })
  })

  it('of an organization does not contain the id of an invitation, which is a secret', async () => {
    const { app, receiver } = acme()
    const at = await company(app, 'acme')
    const body = { email: bob.email, role: 'member', organizationId: at.id }
    const { id } = (await at.owner.device.post('/organization/invite-member', body)).body
    const invited = receiver.taken.find(({ type }) => type === 'invitation.created')!
    expect(invited.data).toMatchObject({
      organization: { id: at.id, name: 'ACME', slug: 'acme', metadata: null },
      invitation: { email: bob.email, role: 'member', status: 'pending', inviterId: at.owner.id },
    })
    expect(JSON.stringify(receiver.taken)).not.toContain(id)
  })

  it('is signed with every secret while one is replaced', async () => {
    const receiver = new WebhookReceiver(undefined, webhookSecret('b'))
    const secrets = ['WEBHOOK_SECRET_ACME', 'WEBHOOK_SECRET_NEXT']
    const app = appWith({ receivers: [{ receiver, secrets }], env: { WEBHOOK_SECRET_NEXT: webhookSecret('b') } })
    await signUp(app, alice)
    expect(receiver.types).toEqual(['user.created', 'session.created'])
    expect(receiver.requests[0]!.headers.get('webhook-signature')).toMatch(/^v1,\S+ v1,\S+$/)
  })

  it('goes to whom its kind interests', async () => {
    const kinds: EventPattern[][] = [['user.created'], ['user.*'], ['organization.*', 'member.added']]
    const receivers = kinds.map((events, n) => ({
      receiver: new WebhookReceiver(`https://hooks-${n}.example.com/`),
      events,
    }))
    const app = appWith({ receivers })
    const device = await newNames(app, alice, ['Al'])
    await device.post('/organization/create', { name: 'Acme', slug: 'acme' })
    expect(receivers.map(({ receiver }) => receiver.types)).toEqual([
      ['user.created'],
      ['user.created', 'user.updated'],
      ['organization.created', 'member.added'],
    ])
  })
})

describe('a receiver', () => {
  it.each([
    [500, 'the receiver answered 500'],
    [400, 'the receiver answered 400'],
    [302, 'the receiver answered 302'],
    ['answers nothing', 'timed out'],
    ['answers 500', 'the receiver answered 500'],
  ] as const)('that answers %s fails no sign-up, and gets it later', async (answers, reason) => {
    const { app, receiver } = acme()
    receiver.answers = answers
    await signUp(app, alice)
    const failed = await rows()
    expect(failed[0]).toMatchObject({ state: 'pending', attempts: 1, last_error: expect.stringContaining(reason) })
    expect(failed[1]).toMatchObject({ state: 'pending', attempts: 0 })
    receiver.answers = null
    await hoursPass(app, 1)
    expect(receiver.types).toEqual(['user.created', 'session.created'])
    expect(receiver.requests[0]!.id).toBe(receiver.taken[0]!.id)
  })

  it('that is down for a day gets everything once it is back, in order, and one row each', async () => {
    const { app, receiver } = acme()
    receiver.answers = 503
    await newNames(app, alice, ['A1'])
    await newNames(app, bob, ['B1'])
    await hoursPass(app, ...Array(12).fill(1), 11)
    expect(receiver.taken).toEqual([])
    // Pauses grow: in thirteen runs, the first message of each of the two users was tried at most eight times.
    expect(receiver.requests.length).toBeLessThanOrEqual(2 * (2 + 8))
    await app.device().post('/sign-in/email', alice)
    receiver.answers = null
    await hoursPass(app, 1, 4)
    const expected = ['user.created', 'session.created', 'user.updated']
    const of = (id: string) => receiver.taken.filter(({ data }) => data.user.id === id).map(({ type }) => type)
    const [first, second] = [...new Set(receiver.taken.map(({ data }) => data.user.id as string))]
    expect([of(first!), of(second!)].sort((a, b) => b.length - a.length)).toEqual([
      [...expected, 'session.created'],
      expected,
    ])
    expect(await states()).toEqual(Array(7).fill('delivered'))
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(7)
  })

  it('that is down keeps no other waiting, and one that refuses one person gets the others', async () => {
    const broken = new WebhookReceiver('https://broken.example.com/')
    const picky = new WebhookReceiver('https://picky.example.com/')
    broken.answers = 500
    picky.answersTo = ({ data }) => (data.user.email === alice.email ? 400 : null)
    const app = appWith({ receivers: [{ receiver: broken }, { receiver: picky }] })
    await signUp(app, alice)
    await signUp(app, bob)
    expect(picky.taken.map(({ data }) => data.user.email)).toEqual([bob.email, bob.email])
    expect(broken.taken).toEqual([])
  })

  it('gets 20 events of one person in order, though each try of the first half fails', async () => {
    const { app, receiver } = acme()
    const names = Array.from({ length: 20 }, (_, n) => `Name ${n}`)
    const device = await signUp(app, alice)
    receiver.answers = 500
    for (const name of names.slice(0, 10)) await device.post('/update-user', { name })
    receiver.answers = null
    for (const name of names.slice(10)) await device.post('/update-user', { name })
    // The first message waits, and later ones do not overtake it.
    expect(receiver.types).toEqual(['user.created', 'session.created'])
    await hoursPass(app, 1)
    expect(receiver.taken.slice(2).map(({ data }) => data.user.name)).toEqual(names)
  })

  it('gets each message once from 20 who deliver at the same time', async () => {
    const { app, receiver } = acme()
    receiver.answers = 500
    await newNames(app, alice, ['A', 'B'])
    await newNames(app, bob, ['C', 'D'])
    receiver.answers = null
    passTime(hour)
    const deliver = async () => {
      const { scope, settle } = app.openScope()
      await runDueJobs(scope)
      await settle()
    }
    await Promise.all(Array.from({ length: 20 }, deliver))
    await deliver()
    expect(receiver.taken).toHaveLength(8)
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(8)
    expect(await states()).toEqual(Array(8).fill('delivered'))
  })

  it('gets a message again, with the same id, when its sender died before recording it', async () => {
    const { app, receiver } = acme()
    await signUp(app, alice)
    const message = JSON.stringify({ type: 'session.created', timestamp: new Date().toISOString(), data: {} })
    const { id, createdAt } = (await jobsOf('webhook')).at(-1)!
    const nextAt = new Date(createdAt.getTime() + 60_000)
    await updateRows('jobs', { state: 'pending', payload: message, nextAt }, { id })
    await app.runScheduled()
    expect(receiver.taken).toHaveLength(2)
    await hoursPass(app, 1)
    expect(receiver.taken.map(({ id }) => id)).toEqual([
      receiver.taken[0]!.id,
      receiver.taken[1]!.id,
      receiver.taken[1]!.id,
    ])
  })

  it('whose URL has changed gets what waited, by its name', async () => {
    const old = new WebhookReceiver('https://old.example.com/')
    old.answers = 500
    await signUp(appWith({ receivers: [{ receiver: old, name: 'acme' }] }), alice)
    const receiver = new WebhookReceiver('https://new.example.com/')
    await hoursPass(appWith({ receivers: [{ receiver, name: 'acme' }] }), 1)
    expect(receiver.types).toEqual(['user.created', 'session.created'])
  })
})

describe('a message that no receiver accepts', () => {
  const undelivered = async (app: TestApp) => {
    const answer = await app.serverApi().undelivered()
    return answer.ok ? answer.result.jobs.map((job) => ({ ...job, endpoint: job.kind.slice('webhook/'.length) })) : []
  }
  const redeliver = async (app: TestApp, id: string) => {
    const answer = await app.serverApi().redeliver({ id })
    return answer.ok ? { delivered: answer.result.delivered } : answer.code
  }

  it('is given up after three days, listed, and redelivered', async () => {
    const { app, receiver } = acme()
    receiver.answers = 500
    await signUp(app, alice)
    expect(await undelivered(app)).toMatchObject([{ type: 'user.created', state: 'waiting', attempts: 1 }])
    await hoursPass(app, 73, 4)
    const failed = await undelivered(app)
    expect(failed).toMatchObject([
      { type: 'session.created', state: 'failed', lastError: 'the receiver answered 500' },
      { type: 'user.created', state: 'failed', endpoint: receiver.url },
    ])
    const [session, user] = failed
    expect(await redeliver(app, user!.id)).toEqual({ delivered: false })
    receiver.answers = null
    expect(await redeliver(app, user!.id)).toEqual({ delivered: true })
    expect(await redeliver(app, session!.id)).toEqual({ delivered: true })
    expect(receiver.taken.map(({ id }) => id)).toEqual([user!.id, session!.id])
    expect(await redeliver(app, user!.id)).toBe('JOB_NOT_FOUND')
    expect(await redeliver(app, 'nothing')).toBe('JOB_NOT_FOUND')
    expect(await undelivered(app)).toEqual([])
  })

  it('is given up as well when its endpoint has been deleted', async () => {
    const { app, receiver } = acme()
    receiver.answers = 500
    await signUp(app, alice)
    const other = new WebhookReceiver('https://other.example.com/')
    const later = appWith({ receivers: [{ receiver: other }] })
    await hoursPass(later, 73)
    expect(await states()).toEqual(['failed', 'failed'])
    expect((await undelivered(later))[0]!.lastError).toBe('the endpoint is not configured any more')
    expect(await redeliver(later, (await undelivered(later))[0]!.id)).toEqual({ delivered: false })
  })

  it('is deleted when it is old, and sooner when it was delivered', async () => {
    const { app, receiver } = acme()
    await signUp(app, alice)
    receiver.answers = 500
    await signUp(app, bob)
    await hoursPass(app, 73, 4, 4)
    expect(await states()).toEqual(['failed', 'failed'])
    await hoursPass(app, 31 * 24)
    expect(await states()).toEqual([])
  })
})

describe('what was not written', () => {
  it('is not sent: of 20 sign-ups with one address one, of 20 sign-outs one', async () => {
    const { app, receiver } = acme()
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.device().post('/sign-up/email', alice)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await app.runScheduled()
    expect(receiver.types).toEqual(['user.created', 'session.created'])
    const device = app.device()
    await device.post('/sign-in/email', alice)
    await Promise.all(Array.from({ length: 20 }, () => device.post('/sign-out', {}, { keep: false })))
    await app.runScheduled()
    expect(receiver.types.slice(2)).toEqual(['session.created', 'session.ended'])
  })
})

describe('the budget', () => {
  it('of sign-up, sign-in, get-session and sign-out is what it is without receivers', async () => {
    const costs = async (app: TestApp) => {
      const device = app.device()
      const up = await device.post('/sign-up/email', alice)
      const out = await device.post('/sign-out')
      const again = await device.post('/sign-in/email', alice)
      const read = await device.get('/get-session', { query: { disableCookieCache: 'true' } })
      const changed = await device.post('/update-user', { name: 'Al' })
      const gone = await device.post('/revoke-sessions')
      return [up, out, again, read, changed, gone].map(({ status, io }) => ({ status, io }))
    }
    const without = await costs(new TestApp(unlimited))
    await deleteUsers()
    expect(await costs(acme().app)).toEqual(without)
  })
})

describe('a configuration', () => {
  const start = (endpoint: object, environment: Record<string, string> = {}) => {
    const endpoints = [
      { url: 'https://hooks.example.com/', events: ['*'], secrets: ['WEBHOOK_SECRET_ACME'], ...endpoint },
    ]
    const secrets = { WEBHOOK_SECRET_ACME: webhookSecret('a'), ...environment }
    return () => new TestApp({ webhooks: { endpoints } } as Config, secrets as object)
  }
  const production = { ENVIRONMENT: 'production', BASE_URL: 'https://accounts.example.com' }

  const url = /webhooks\.endpoints\.0\.url/
  const refused: [endpoint: object, environment: Record<string, string>, reason: RegExp][] = [
    [{ events: ['user.craeted'] }, {}, /webhooks\.endpoints\.0\.events\.0/],
    [{ events: [] }, {}, /webhooks\.endpoints\.0\.events/],
    [{ secrets: [] }, {}, /webhooks\.endpoints\.0\.secrets/],
    [
      { secrets: ['NOWHERE'] },
      {},
      /NOWHERE[\s\S]*wrangler secret put NOWHERE`, on a development machine in \.dev\.vars/,
    ],
    [{}, { WEBHOOK_SECRET_ACME: 'too-simple' }, /WEBHOOK_SECRET_ACME/],
    [{ url: 'mailto:a@example.com' }, {}, url],
    [{ url: 'http://hooks.example.com/' }, production, url],
    [{ url: 'https://localhost/' }, production, url],
    [{ url: 'https://10.0.0.1/' }, production, url],
    [{ url: 'https://[::1]/' }, production, url],
    [{ url: 'https://a:b@example.com/' }, production, url],
    [{ url: 'https://printer.local/' }, production, url],
    [{ url: 'https://example.com:8443/' }, production, url],
  ]
  it.each(refused)('that cannot work is refused: %j %j', (endpoint, environment, reason) => {
    expect(start(endpoint, environment)).toThrow(reason)
  })

  it('may name a receiver on this machine in development', () => {
    expect(start({ url: 'http://localhost:3000/hooks' })).not.toThrow()
  })
})
