import { afterEach, describe, expect, it, vi } from 'vitest'
import { breakDown, installProvider, troubles, withBilling } from '../../../testing/billing.ts'
import { TestApp } from '../../../testing/harness.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count, rowOf } from '../../../testing/rows.ts'
import { addJobs, idOf } from '../../../testing/states.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function aliceWith(onUsage: 'blocking' | 'outbox', changes: Parameters<typeof withBilling>[0] = {}) {
  const provider = installProvider()
  const app = new TestApp(withBilling({ createCustomerOnSignUp: false, onUsage, ...changes }))
  return { provider, app, device: await signUp(app, alice), userId: await idOf(alice.email) }
}

/** The payload of a waiting job. */
const waiting = (id: string, userId: string, event: string) =>
  JSON.stringify({ id, userId, event, metadata: {}, at: 1 })

const aWhileLater = () => vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] })

describe.each(['blocking', 'outbox'] as const)('POST /usage/ingest, billing.onUsage %s', (onUsage) => {
  it('200: counted for the caller, with any metadata', async () => {
    const { provider, device, userId } = await aliceWith(onUsage)
    const metadata = { n: 1.5, ok: true, s: 'x', externalCustomerId: 'another-client' }
    const { status, body } = await device.post('/usage/ingest', { event: 'api-call', metadata })
    expect({ status, body }).toEqual({ status: 200, body: { inserted: 1 } })
    expect([...provider.usage.values()]).toMatchObject([{ name: 'api-call', metadata, external_customer_id: userId }])
    expect(await count('jobs', { kind: 'billing-usage' })).toBe(0)
  })

  it.each([
    [{ event: 'x' }],
    [{ metadata: {} }],
    [{ event: '', metadata: {} }],
    [{ event: 'x'.repeat(129), metadata: {} }],
    [{ event: 'x', metadata: { a: null } }],
    [{ event: 'x', metadata: { a: [1] } }],
    [{ event: 'x', metadata: 'y' }],
    [{ event: 'x', metadata: { ['k'.repeat(41)]: 1 } }],
    [{ event: 'x', metadata: { s: 's'.repeat(501) } }],
  ])('400 VALIDATION_ERROR %#', async (usage) => {
    const { provider, device } = await aliceWith(onUsage)
    expect((await device.post('/usage/ingest', usage)).body.code).toBe('VALIDATION_ERROR')
    expect(provider.usage.size).toBe(0)
  })

  it('400 for numbers that are not finite, and for negative ones unless negativeUsage', async () => {
    const { provider, device } = await aliceWith(onUsage)
    const infinite = await device.post('/usage/ingest', '{"event":"x","metadata":{"n":1e999}}', {
      headers: { 'content-type': 'application/json' },
    })
    expect(infinite.body.code).toBe('VALIDATION_ERROR')
    const { status, body } = await device.post('/usage/ingest', { event: 'x', metadata: { n: -1 } })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'NEGATIVE_USAGE' })
    expect(provider.usage.size).toBe(0)
    const refunds = await aliceWithMore(onUsage)
    expect((await refunds.post('/usage/ingest', { event: 'x', metadata: { n: -1 } })).status).toBe(200)
  })

  it('counted once for each id of the caller, with parallel calls too', async () => {
    const { provider, app, device, userId } = await aliceWith(onUsage)
    const usage = (id: string, n: number) => ({ event: 'x', metadata: { n }, id })
    const answers = [await device.post('/usage/ingest', usage('first', 1))]
    answers.push(...(await Promise.all([1, 1, 1].map((n) => device.post('/usage/ingest', usage('first', n))))))
    answers.push(await device.post('/usage/ingest', usage('second', 2)))
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      Array(5).fill({ status: 200, body: { inserted: 1 } }),
    )
    const other = await signUp(app, { ...alice, email: 'other@example.com' })
    expect((await other.post('/usage/ingest', usage('first', 3))).status).toBe(200)
    const counted = [...provider.usage.values()].map((one) => [one.external_customer_id === userId, one.metadata!.n])
    expect(counted.sort()).toEqual([
      [false, 3],
      [true, 1],
      [true, 2],
    ])
    expect(await count('jobs', { kind: 'billing-usage' })).toBe(0)
  })

  it.each(['', 'x'.repeat(129), 7, null])('400 VALIDATION_ERROR for the id %j', async (id) => {
    const { device } = await aliceWith(onUsage)
    const { body } = await device.post('/usage/ingest', { event: 'x', metadata: {}, id })
    expect(body.code).toBe('VALIDATION_ERROR')
  })

  it('counted once when the answer to it is lost', async () => {
    const { provider, device } = await aliceWith(onUsage)
    provider.fail('answers 500', 1, true)
    const { status, body } = await device.post('/usage/ingest', { event: 'x', metadata: {} })
    expect({ status, body }).toEqual({ status: 200, body: { inserted: 1 } })
    expect(provider.usage.size).toBe(1)
  })
})

async function aliceWithMore(onUsage: 'blocking' | 'outbox') {
  const app = new TestApp(withBilling({ createCustomerOnSignUp: false, onUsage, negativeUsage: true }))
  return signUp(app, { ...alice, email: 'more@example.com' })
}

describe('POST /usage/ingest, billing.onUsage outbox', () => {
  it.each(troubles)('200 while the provider %s; counted exactly, once it can be', async (trouble) => {
    const { provider, app, device } = await aliceWith('outbox')
    breakDown(provider, trouble)
    for (let n = 0; n < 5; n++) {
      expect((await device.post('/usage/ingest', { event: 'x', metadata: { n } })).status).toBe(200)
    }
    expect(await count('jobs', { kind: 'billing-usage' })).toBe(5)
    provider.recover()
    aWhileLater()
    await app.runScheduled()
    await app.runScheduled()
    expect([...provider.usage.values()].map(({ metadata }) => metadata!.n).sort()).toEqual([0, 1, 2, 3, 4])
    expect(await count('jobs', { kind: 'billing-usage' })).toBe(0)
  })

  it('also when it was counted and the answer was lost', async () => {
    const { provider, app, device } = await aliceWith('outbox')
    provider.fail('answers 500', 2, true)
    await device.post('/usage/ingest', { event: 'x', metadata: {} })
    expect({ usage: provider.usage.size, usageJobs: await count('jobs', { kind: 'billing-usage' }) }).toEqual({
      usage: 1,
      usageJobs: 1,
    })
    aWhileLater()
    await app.runScheduled()
    expect({ usage: provider.usage.size, usageJobs: await count('jobs', { kind: 'billing-usage' }) }).toEqual({
      usage: 1,
      usageJobs: 0,
    })
  })

  it('a repeated call is one row while the provider is down', async () => {
    const { provider, app, device } = await aliceWith('outbox')
    breakDown(provider, 'answers 500')
    for (let n = 0; n < 3; n++) {
      const { status } = await device.post('/usage/ingest', { event: 'x', metadata: { n }, id: 'the same' })
      expect(status).toBe(200)
    }
    expect(await count('jobs', { kind: 'billing-usage' })).toBe(1)
    provider.recover()
    aWhileLater()
    await app.runScheduled()
    expect([...provider.usage.values()].map(({ metadata }) => metadata!.n)).toEqual([0])
  })

  it('20 in parallel count as 20, and pending ones are sent in batches', async () => {
    const { provider, app, device } = await aliceWith('outbox')
    const post = (n: number) => device.post('/usage/ingest', { event: 'x', metadata: { n } })
    await Promise.all(Array.from({ length: 20 }, (_, n) => post(n)))
    expect({ usage: provider.usage.size, usageJobs: await count('jobs', { kind: 'billing-usage' }) }).toEqual({
      usage: 20,
      usageJobs: 0,
    })
    const events = Array.from({ length: 250 }, (_, n) => `event-${n}`)
    await addJobs('billing-usage', ...events.map((id) => ({ id, payload: waiting(id, 'u', 'y') })))
    const before = provider.requests.length
    await app.runScheduled()
    expect({ usage: provider.usage.size, requests: provider.requests.length - before }).toEqual({
      usage: 270,
      requests: 3,
    })
  })

  it('one that the provider refuses does not hold up the others, and is kept', async () => {
    const { provider, app, device } = await aliceWith('outbox')
    breakDown(provider, 'answers 500')
    for (const event of ['fine', 'refused', 'fine']) await device.post('/usage/ingest', { event, metadata: {} })
    provider.recover()
    aWhileLater()
    await app.runScheduled()
    expect([...provider.usage.values()].map(({ name }) => name)).toEqual(['fine', 'fine'])
    const { payload, lastError } = (await rowOf('jobs'))!
    expect({ name: JSON.parse(payload!).event, refusal: lastError }).toEqual({
      name: 'refused',
      refusal: expect.stringContaining('422'),
    })
    const requests = provider.requests.length
    aWhileLater()
    await app.runScheduled()
    expect(provider.requests).toHaveLength(requests)
  })

  it('a batch that was sent and not deleted is counted once', async () => {
    const { provider, app, device, userId } = await aliceWith('outbox')
    await device.post('/usage/ingest', { event: 'x', metadata: {} })
    const [id] = provider.usage.keys()
    await addJobs('billing-usage', { id: id!, payload: waiting(id!, userId, 'x') })
    await app.runScheduled()
    expect({ usage: provider.usage.size, usageJobs: await count('jobs', { kind: 'billing-usage' }) }).toEqual({
      usage: 1,
      usageJobs: 0,
    })
  })
})
