import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installProvider, sendWebhook, withBilling } from '../../testing/billing.ts'
import { type Fault, FaultInjector } from '../../testing/faults.ts'
import { type Answer, TestApp } from '../../testing/harness.ts'
import { examples } from '../../testing/outside/billing-examples.ts'
import { signWebhook } from '../../testing/outside/billing-webhooks.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count, empty, rowOf } from '../../testing/rows.ts'
import { everything } from '../../testing/sample.ts'
import { idOf, jobsOf } from '../../testing/states.ts'
import { readEntitlements } from './entitlements/entitlements.ts'

/** One I/O operation fails, before or after its effect: no data is lost, and no effect happens twice. */

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Runs a test once for each I/O operation that can fail, each time from the beginning. */
async function withEachFault(run: (faults: FaultInjector, arm: () => void) => Promise<void>): Promise<number> {
  const plain = new FaultInjector()
  let calls = 0
  await run(plain, () => plain.watch())
  calls = plain.calls.length
  expect(calls).toBeGreaterThan(0)
  for (let at = 1; at <= calls; at++) {
    for (const when of ['before', 'after'] as const) {
      await empty('users', 'jobs')
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
  it('one customer for a stored user, none for a failed sign-up', async () => {
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
      expect({ accounts: provider.accounts.size, pendingJobs: await count('jobs', { state: 'pending' }) }).toEqual({
        accounts: await count('users'),
        pendingJobs: 0,
      })
      faults.calls.splice(0, Number.POSITIVE_INFINITY, ...calls)
    })
  })
})

describe('POST /update-user', () => {
  it('the provider receives the stored changes only', async () => {
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
      const { id, name } = (await rowOf('users'))!
      if (status === 200) expect(name).toBe('Alice II')
      expect({
        name: provider.accountOf(id).customer.name,
        pendingJobs: await count('jobs', { state: 'pending' }),
      }).toEqual({ name, pendingJobs: 0 })
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
        const { activeSubscriptions } = await readEntitlements(app.openScope().scope, await idOf(alice.email))
        expect(activeSubscriptions).toHaveLength(1)
        const done = Number((await jobsOf('billing-inbox'))[0]!.state === 'done')
        expect({ inboxJobs: (await jobsOf('billing-inbox')).length, done }).toEqual({
          inboxJobs: 1,
          done: 1,
        })
        // A handler is called again if its success could not be stored.
        if (handled) expect([1, 2]).toContain(handledTimes)
        faults.calls.splice(0, Number.POSITIVE_INFINITY, ...calls)
      })
    },
  )
})

describe('POST /usage/ingest with billing.onUsage outbox', () => {
  it('usage with a 200 is counted once', async () => {
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
      expect(await count('jobs', { kind: 'billing-usage' })).toBe(0)
      faults.calls.splice(0, Number.POSITIVE_INFINITY, ...calls)
    })
  })
})

describe('a burst of webhooks', () => {
  const burst = everything ? 200 : 40

  it('in parallel from one address, each twice: each gets a response and has one effect', async () => {
    const handler = vi.fn()
    const app = new TestApp({ ...withBilling({ on: { '*': handler } }), rateLimit: { enabled: true } })
    const event = { type: 'order.paid', data: examples['order.paid'] }
    const messages = await Promise.all(Array.from({ length: burst }, () => signWebhook(event)))
    const sender = app.device()
    const answers = await Promise.all([...messages, ...messages].map((message) => sendWebhook(sender, message)))
    expect(answers.filter(({ status, body }) => status !== 200 || !body.received)).toEqual([])
    expect({
      calls: handler.mock.calls.length,
      inboxJobs: (await jobsOf('billing-inbox')).length,
    }).toEqual({ calls: burst, inboxJobs: burst })
  })
})
