import { afterEach, describe, expect, it, vi } from 'vitest'
import { breakDown, count, installProvider, troubles, userIdOf, withBilling } from '../../../testing/billing.ts'
import { env, TestApp } from '../../../testing/harness.ts'
import { alice, signUp } from '../../../testing/people.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function aliceWith(onUsage: 'blocking' | 'outbox', changes: Parameters<typeof withBilling>[0] = {}) {
  const provider = installProvider()
  const app = new TestApp(withBilling({ createCustomerOnSignUp: false, onUsage, ...changes }))
  return { provider, app, device: await signUp(app, alice), userId: await userIdOf(alice.email) }
}

const aWhileLater = () => vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] })

describe.each(['blocking', 'outbox'] as const)('POST /usage/ingest, billing.onUsage %s', (onUsage) => {
  it('200: counted for the caller, whatever the metadata says', async () => {
    const { provider, device, userId } = await aliceWith(onUsage)
    const metadata = { n: 1.5, ok: true, s: 'x', externalCustomerId: 'somebody-else' }
    const { status, body } = await device.post('/usage/ingest', { event: 'api-call', metadata })
    expect([status, body]).toEqual([200, { inserted: 1 }])
    expect([...provider.usage.values()]).toMatchObject([{ name: 'api-call', metadata, external_customer_id: userId }])
    expect(await count('billing_usage_events')).toBe(0)
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
    expect([status, body.code]).toEqual([400, 'NEGATIVE_USAGE'])
    expect(provider.usage.size).toBe(0)
    const refunds = await aliceWithMore(onUsage)
    expect((await refunds.post('/usage/ingest', { event: 'x', metadata: { n: -1 } })).status).toBe(200)
  })

  it('counted once when the answer to it is lost', async () => {
    const { provider, device } = await aliceWith(onUsage)
    provider.fail('answers 500', 1, true)
    const { status, body } = await device.post('/usage/ingest', { event: 'x', metadata: {} })
    expect([status, body]).toEqual([200, { inserted: 1 }])
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
    expect(await count('billing_usage_events')).toBe(5)
    provider.recover()
    aWhileLater()
    await app.runScheduled()
    await app.runScheduled()
    expect([...provider.usage.values()].map(({ metadata }) => metadata!.n).sort()).toEqual([0, 1, 2, 3, 4])
    expect(await count('billing_usage_events')).toBe(0)
  })

  it('also when it was counted and the answer was lost', async () => {
    const { provider, app, device } = await aliceWith('outbox')
    provider.fail('answers 500', 2, true)
    await device.post('/usage/ingest', { event: 'x', metadata: {} })
    expect([provider.usage.size, await count('billing_usage_events')]).toEqual([1, 1])
    aWhileLater()
    await app.runScheduled()
    expect([provider.usage.size, await count('billing_usage_events')]).toEqual([1, 0])
  })

  it('20 at once are 20, and waiting ones go in batches', async () => {
    const { provider, app, device } = await aliceWith('outbox')
    const post = (n: number) => device.post('/usage/ingest', { event: 'x', metadata: { n } })
    await Promise.all(Array.from({ length: 20 }, (_, n) => post(n)))
    expect([provider.usage.size, await count('billing_usage_events')]).toEqual([20, 0])
    const rows = Array.from({ length: 250 }, (_, n) =>
      env.DB.prepare(
        "insert into billing_usage_events (id, user_id, name, metadata, at, next_at) values (?, 'u', 'y', '{}', 1, 1)",
      ).bind(`event-${n}`),
    )
    await env.DB.batch(rows)
    const before = provider.requests.length
    await app.runScheduled()
    expect([provider.usage.size, provider.requests.length - before]).toEqual([270, 3])
  })

  it('one that the provider refuses does not hold up the others, and is kept', async () => {
    const { provider, app, device } = await aliceWith('outbox')
    breakDown(provider, 'answers 500')
    for (const event of ['fine', 'refused', 'fine']) await device.post('/usage/ingest', { event, metadata: {} })
    provider.recover()
    aWhileLater()
    await app.runScheduled()
    expect([...provider.usage.values()].map(({ name }) => name)).toEqual(['fine', 'fine'])
    const left = await env.DB.prepare('select name, refusal from billing_usage_events').first()
    expect(left).toEqual({ name: 'refused', refusal: expect.stringContaining('422') })
    const requests = provider.requests.length
    aWhileLater()
    await app.runScheduled()
    expect(provider.requests).toHaveLength(requests)
  })

  it('a batch that was sent and not deleted is counted once', async () => {
    const { provider, app, device, userId } = await aliceWith('outbox')
    await device.post('/usage/ingest', { event: 'x', metadata: {} })
    const [id] = provider.usage.keys()
    await env.DB.prepare(
      "insert into billing_usage_events (id, user_id, name, metadata, at, next_at) values (?, ?, 'x', '{}', 1, 1)",
    )
      .bind(id, userId)
      .run()
    await app.runScheduled()
    expect([provider.usage.size, await count('billing_usage_events')]).toEqual([1, 0])
  })
})
