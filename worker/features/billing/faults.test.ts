import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { count, installProvider, sendWebhook, userIdOf, withBilling } from '../../testing/billing.ts'
import { type Fault, FaultInjector } from '../../testing/faults.ts'
import { type Answer, env, TestApp } from '../../testing/harness.ts'
import { examples } from '../../testing/outside/billing-examples.ts'
import { signWebhook } from '../../testing/outside/billing-webhooks.ts'
import { alice, signUp } from '../../testing/people.ts'
import { readEntitlements } from './entitlements/entitlements.ts'

/** One piece of I/O of ours fails, before it was done or after: nothing is lost, and nothing is done twice. */

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Runs something once for each piece of its I/O that can fail, each time from the beginning. */
async function withEachFault(run: (faults: FaultInjector, arm: () => void) => Promise<void>): Promise<number> {
  const plain = new FaultInjector()
  let calls = 0
  await run(plain, () => plain.watch())
  calls = plain.calls.length
  expect(calls).toBeGreaterThan(0)
  for (let at = 1; at <= calls; at++) {
    for (const when of ['before', 'after'] as const) {
      await env.DB.batch(
        ['users', 'tasks', 'billing_webhooks', 'billing_usage_events'].map((t) => env.DB.prepare(`delete from ${t}`)),
      )
      const faults = new FaultInjector()
      const fault: Fault = { at, when }
      await run(faults, () => faults.arm(fault))
    }
  }
  return calls
}

const muchLater = () => vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] })

const expectEnd = ({ status }: Answer) => expect([200, 503]).toContain(status)

describe('sign-up with billing.onSignUp outbox', () => {
  it('one customer for who is written, none for who is not', async () => {
    await withEachFault(async (faults, arm) => {
      const provider = installProvider()
      const app = new TestApp(withBilling({ onSignUp: 'outbox' }), faults.bindings(), false)
      arm()
      expectEnd(await app.device().post('/sign-up/email', alice))
      const calls = [...faults.calls]
      faults.watch()
      muchLater()
      await app.runScheduled()
      vi.useRealTimers()
      expect([provider.accounts.size, await count('tasks')]).toEqual([await count('users'), 0])
      faults.calls.splice(0, Number.POSITIVE_INFINITY, ...calls)
    })
  })
})

describe('POST /update-user', () => {
  it('the provider hears of what is written, and of nothing else', async () => {
    await withEachFault(async (faults, arm) => {
      const provider = installProvider()
      const app = new TestApp(withBilling({ onSignUp: 'outbox' }), faults.bindings(), false)
      const device = await signUp(app, alice)
      arm()
      const { status } = await device.post('/update-user', { name: 'Alice II' })
      expect([200, 503]).toContain(status)
      const calls = [...faults.calls]
      faults.watch()
      muchLater()
      await app.runScheduled()
      vi.useRealTimers()
      const { id, name } = (await env.DB.prepare('select id, name from users').first<{ id: string; name: string }>())!
      if (status === 200) expect(name).toBe('Alice II')
      expect([provider.accountOf(id).customer.name, await count('tasks')]).toEqual([name, 0])
      faults.calls.splice(0, Number.POSITIVE_INFINITY, ...calls)
    })
  })
})

describe('POST /polar/webhooks', () => {
  it.each([false, true])(
    'the effect is there once, after as many deliveries as it takes (handlers: %s)',
    async (handled) => {
      await withEachFault(async (faults, arm) => {
        const provider = installProvider()
        let handledTimes = 0
        const on = handled ? { 'subscription.active': () => void handledTimes++ } : {}
        const app = new TestApp(withBilling({ onSignUp: 'outbox', on }), faults.bindings(), false)
        const device = await signUp(app, alice)
        const { url } = (await device.post('/checkout', { slug: 'pro' })).body
        provider.pay(url.split('/').at(-1))
        const message = await signWebhook(provider.events.find(({ type }) => type === 'subscription.active')!)
        arm()
        const first = await sendWebhook(app.device(), message)
        expectEnd(first)
        const calls = [...faults.calls]
        faults.watch()
        if (first.status !== 200) expect((await sendWebhook(app.device(), message)).body).toEqual({ received: true })
        muchLater()
        await app.runScheduled()
        vi.useRealTimers()
        const { activeSubscriptions } = await readEntitlements(app.openScope().scope, await userIdOf(alice.email))
        expect(activeSubscriptions).toHaveLength(1)
        const { done } = (await env.DB.prepare('select done from billing_webhooks').first<{ done: number }>())!
        expect([await count('billing_webhooks'), done]).toEqual([1, 1])
        // A handler that was called and whose success could not be written down is called again.
        if (handled) expect([1, 2]).toContain(handledTimes)
        faults.calls.splice(0, Number.POSITIVE_INFINITY, ...calls)
      })
    },
  )
})

describe('POST /usage/ingest with billing.onUsage outbox', () => {
  it('what was answered with 200 is counted once', async () => {
    await withEachFault(async (faults, arm) => {
      const provider = installProvider()
      const changes = withBilling({ createCustomerOnSignUp: false, onUsage: 'outbox' })
      const app = new TestApp(changes, faults.bindings(), false)
      const device = await signUp(app, alice)
      arm()
      const { status } = await device.post('/usage/ingest', { event: 'x', metadata: {} })
      expect([200, 503]).toContain(status)
      const calls = [...faults.calls]
      faults.watch()
      muchLater()
      await app.runScheduled()
      vi.useRealTimers()
      if (status === 200) expect(provider.usage.size).toBe(1)
      expect(provider.usage.size).toBeLessThanOrEqual(1)
      expect(await count('billing_usage_events')).toBe(0)
      faults.calls.splice(0, Number.POSITIVE_INFINITY, ...calls)
    })
  })
})

describe('a burst of webhooks', () => {
  it('400 at once from one address, each twice: each answered, each effect once', async () => {
    const handler = vi.fn()
    const app = new TestApp({ ...withBilling({ on: { '*': handler } }), rateLimit: { enabled: true } })
    const event = { type: 'order.paid', data: examples['order.paid'] }
    const messages = await Promise.all(Array.from({ length: 200 }, () => signWebhook(event)))
    const sender = app.device()
    const answers = await Promise.all([...messages, ...messages].map((message) => sendWebhook(sender, message)))
    expect(answers.filter(({ status, body }) => status !== 200 || !body.received)).toEqual([])
    expect([handler.mock.calls.length, await count('billing_webhooks')]).toEqual([200, 200])
  })
})
