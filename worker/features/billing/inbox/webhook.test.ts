import { Buffer } from 'node:buffer'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Scope } from '../../../identity/scope.ts'
import { deliverAll, installProvider, sendEvent, sendWebhook, withBilling } from '../../../testing/billing.ts'
import { TestApp } from '../../../testing/harness.ts'
import { examples } from '../../../testing/outside/billing-examples.ts'
import type { BillingProvider } from '../../../testing/outside/billing-provider.ts'
import { signWebhook } from '../../../testing/outside/billing-webhooks.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count, empty, rowOf } from '../../../testing/rows.ts'
import { idOf, jobsOf } from '../../../testing/states.ts'
import { listUndelivered, redeliver } from '../../jobs/undelivered.ts'
import { readEntitlements } from '../entitlements/entitlements.ts'
import { type BillingEventType, eventSchemas } from '../events/events.ts'

afterEach(() => vi.restoreAllMocks())

const outbox = { onSignUp: 'outbox' } as const
const example = { type: 'customer.created', data: examples['customer.created'] }

const inbox = 'billing-inbox'

/** The undelivered jobs of the inbox with the provider's ids. */
async function listUndoneWebhooks(scope: Scope) {
  const { jobs } = await listUndelivered(scope, {})
  const [ids, kinds] = [`${inbox}:`.length, `${inbox}/`.length]
  return jobs.map(({ id, kind, ...job }) => ({ ...job, id: id.slice(ids), type: kind.slice(kinds) }))
}
const replayWebhook = async (scope: Scope, id: string) => ({
  done: (await redeliver(scope, { id: `${inbox}:${id}` })).delivered,
})

const at = (seconds: number) => new Date(Date.now() + seconds * 1000)

describe('POST /polar/webhooks: who it is from', () => {
  const app = () => new TestApp(withBilling())

  it('200 for what the provider signed', async () => {
    const { status, body } = await sendEvent(app(), example)
    expect({ status, body }).toEqual({ status: 200, body: { received: true } })
  })

  it.each([
    ['Missing required headers', { 'webhook-id': '' }],
    ['Missing required headers', { 'webhook-timestamp': '' }],
    ['Missing required headers', { 'webhook-signature': '' }],
    ['Invalid Signature Headers', { 'webhook-timestamp': 'yesterday' }],
    ['Invalid Signature Headers', { 'webhook-id': 'x'.repeat(256) }],
    ['No matching signature found', { 'webhook-id': 'another' }],
    ['No matching signature found', { 'webhook-signature': 'v2,abc' }],
    ['No matching signature found', { 'webhook-signature': 'v1,not-base64!' }],
    ['No matching signature found', { 'webhook-signature': 'v1,AAAA' }],
  ])('400 Webhook Error: %s %j', async (reason, headers) => {
    const { body, headers: signed } = await signWebhook(example)
    const answer = await sendWebhook(app().device(), { body, headers: { ...signed, ...headers } as typeof signed })
    expect(answer).toMatchObject({ status: 400, body: { message: `Webhook Error: ${reason}` } })
    expect(answer.body.code).toBe(`WEBHOOK_ERROR_${reason.toUpperCase().replaceAll(' ', '_')}`)
    expect((await jobsOf('billing-inbox')).length).toBe(0)
  })

  it('300 seconds either way', async () => {
    const one = app()
    expect((await sendEvent(one, example, { at: at(-298) })).status).toBe(200)
    expect((await sendEvent(one, example, { at: at(298) })).status).toBe(200)
    const old = await sendEvent(one, example, { at: at(-302) })
    expect(old).toMatchObject({ status: 400, body: { message: 'Webhook Error: Message timestamp too old' } })
    const early = await sendEvent(one, example, { at: at(302) })
    expect(early).toMatchObject({ status: 400, body: { message: 'Webhook Error: Message timestamp too new' } })
  })

  it('400 for a body that was altered by a single byte', async () => {
    const { body, headers } = await signWebhook(example)
    const answer = await sendWebhook(app().device(), { headers, body: `${body} ` })
    expect(answer.body.message).toBe('Webhook Error: No matching signature found')
  })

  it('every v1 signature counts, and every secret while one is replaced', async () => {
    const rotating = new TestApp(withBilling({ webhookSecret: 'new-secret, old-secret' }))
    for (const secret of ['new-secret', 'old-secret']) {
      expect((await sendEvent(rotating, example, { secret })).status).toBe(200)
    }
    expect((await sendEvent(rotating, example, { secret: 'older-secret' })).status).toBe(400)
    const { body, headers } = await signWebhook(example, { secret: 'old-secret' })
    headers['webhook-signature'] = `v1,AAAA v2,x ${headers['webhook-signature']}`
    expect((await sendWebhook(rotating.device(), { body, headers })).status).toBe(200)
  })

  it.each([
    ['as text', Buffer.from('a secret as text').toString('base64'), 'a secret as text'],
    ['as base64', Buffer.from('thirty-two bytes of a secret ...').toString('base64'), null],
    ['as whsec_', `whsec_${Buffer.from('thirty-two bytes of a secret ...').toString('base64')}`, null],
  ])('accepts what the standardwebhooks package signs, the secret %s', async (_, theirs, ours) => {
    const webhookApp = new TestApp(withBilling({ webhookSecret: ours ?? theirs }))
    const body = JSON.stringify(example)
    const moment = new Date()
    const headers = {
      'webhook-id': 'msg_theirs',
      'webhook-timestamp': String(Math.floor(moment.getTime() / 1000)),
      'webhook-signature': new Webhook(theirs).sign('msg_theirs', moment, body),
    }
    expect((await sendWebhook(webhookApp.device(), { body, headers })).status).toBe(200)
  })

  it('the secret may be a secret of the Worker', async () => {
    const secretApp = new TestApp(withBilling({ webhookSecret: null }), { POLAR_WEBHOOK_SECRET: 'from-the-worker' })
    expect((await sendEvent(secretApp, example, { secret: 'from-the-worker' })).status).toBe(200)
  })

  it('500 without a secret, and without a body', async () => {
    const { status, body } = await sendEvent(new TestApp(withBilling({ webhookSecret: null })), example)
    expect({ status, message: body.message }).toEqual({ status: 500, message: 'webhook secret not found' })
    expect((await app().device().post('/polar/webhooks', '')).status).toBe(500)
  })

  it('413 for a huge body; a customer may have much', async () => {
    expect((await app().device().post('/polar/webhooks', 'x'.repeat(1_100_000))).status).toBe(413)
    const grant = { created_at: '2026-01-01T00:00:00Z', modified_at: null, granted_at: '2026-01-01T00:00:00Z' }
    const granted_benefits = Array.from({ length: 500 }, (_, n) => ({
      ...{ ...grant, id: `grant-${n}`, benefit_id: `benefit-${n}`, benefit_type: 'custom', properties: {} },
    }))
    const event = { type: 'customer.state_changed', data: { ...examples['customer.state_changed'], granted_benefits } }
    expect(JSON.stringify(event).length).toBeGreaterThan(70_000)
    expect((await sendEvent(app(), event)).status).toBe(200)
  })
})

describe('POST /polar/webhooks: responses', () => {
  it.each(Object.keys(eventSchemas))('200 %s', async (type) => {
    const app = new TestApp(withBilling())
    const { status, body } = await sendEvent(app, { type, data: examples[type as BillingEventType] })
    expect({ status, body }).toEqual({ status: 200, body: { received: true } })
  })

  it('there are twenty-seven', () => expect(Object.keys(eventSchemas)).toHaveLength(27))

  it.each(['subscription.exploded', 'subscription.past_due', '__proto__', 7, undefined])(
    '400 for a type it does not know: %s',
    async (type) => {
      const { status, body } = await sendEvent(new TestApp(withBilling()), { type, data: {} })
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: `Webhook Error: Unknown event type: ${type}`,
      })
      expect((await jobsOf('billing-inbox')).length).toBe(0)
    },
  )

  it.each(['{', 'null', '[]', '"x"'])('400 for a body that is not an event: %s', async (text) => {
    expect((await sendEvent(new TestApp(withBilling()), text)).status).toBe(400)
  })

  it.each([
    ['customer.created', 'Customer', { id: 5 }],
    ['customer.state_changed', 'CustomerState', examples['customer.created']],
    ['benefit.updated', 'Benefit', { ...examples['benefit.updated'], type: 'discord' }],
    ['benefit_grant.revoked', 'BenefitGrant', undefined],
    ['checkout.updated', 'Checkout', { ...examples['checkout.updated'], status: 'lost' }],
    ['order.paid', 'Order', { ...examples['order.paid'], net_amount: 1.5 }],
    ['organization.updated', 'Organization', null],
    ['product.created', 'Product', { ...examples['product.created'], created_at: 'yesterday' }],
    ['refund.created', 'Refund', { ...examples['refund.created'], metadata: { a: {} } }],
    ['subscription.active', 'Subscription', { ...examples['subscription.active'], status: 'sleeping' }],
  ])('400 %s: Failed to parse %s; it is kept', async (type, name, data) => {
    const app = new TestApp(withBilling())
    const message = await signWebhook({ type, data })
    for (let i = 0; i < 2; i++) {
      const { status, body } = await sendWebhook(app.device(), message)
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: `Webhook Error: Failed to parse '${name}' from JSON`,
      })
    }
    const { scope } = app.openScope()
    expect(await listUndoneWebhooks(scope)).toMatchObject([{ type, lastError: expect.stringContaining(name) }])
  })
})

describe('POST /polar/webhooks: the configured handlers', () => {
  it('the one of the type, then the catch-all', async () => {
    const seen: string[] = []
    const app = new TestApp(
      withBilling({
        on: {
          'customer.created': ({ data }) => seen.push(`created ${data.email}`),
          '*': async ({ type }) => seen.push(`any ${type}`),
        },
      }),
    )
    await sendEvent(app, example)
    await sendEvent(app, { type: 'order.paid', data: examples['order.paid'] })
    expect(seen).toEqual(['created buyer@example.com', 'any customer.created', 'any order.paid'])
  })

  it('each delivery twice, and 20 in parallel: called once', async () => {
    const handler = vi.fn()
    const app = new TestApp(withBilling({ on: { '*': handler } }))
    const message = await signWebhook(example)
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendWebhook(app.device(), message)))
    expect(answers.every(({ status, body }) => status === 200 && body.received)).toBe(true)
    await sendWebhook(app.device(), message)
    expect(handler).toHaveBeenCalledTimes(1)
    expect((await jobsOf('billing-inbox')).length).toBe(1)
  })

  it('400 when one hangs: it is tried again as well', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    let isStuck = true
    const hangs = () => {
      queueMicrotask(() => vi.advanceTimersByTime(10_000))
      return new Promise(() => {})
    }
    const app = new TestApp(withBilling({ on: { '*': () => (isStuck ? hangs() : null) } }))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { status } = await sendEvent(app, example)
    vi.useRealTimers()
    expect(status).toBe(400)
    isStuck = false
    const { scope } = app.openScope()
    const [{ id, lastError } = { id: '' }] = await listUndoneWebhooks(scope)
    expect(lastError).toContain('no answer within 10000 ms')
    expect(await replayWebhook(scope, id)).toEqual({ done: true })
  })

  it('400 when one fails; it is kept, tried again with growing pauses, and done once', async () => {
    let broken = true
    const handler = vi.fn(() => {
      if (broken) throw new Error('shop is closed')
    })
    const app = new TestApp(withBilling({ on: { 'customer.created': handler } }))
    const message = await signWebhook(example)
    const { status, body } = await sendWebhook(app.device(), message)
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'Webhook error: See server logs for more information.',
    })
    expect((await sendWebhook(app.device(), message)).body).toEqual({ received: true })
    expect(handler).toHaveBeenCalledTimes(1)
    await app.runScheduled()
    expect(handler).toHaveBeenCalledTimes(1)
    vi.useFakeTimers({ now: Date.now() + 90_000, toFake: ['Date'] })
    await app.runScheduled()
    await app.runScheduled()
    expect(handler).toHaveBeenCalledTimes(2)
    broken = false
    vi.setSystemTime(Date.now() + 600_000)
    await Promise.all([app.runScheduled(), app.runScheduled()])
    await app.runScheduled()
    vi.useRealTimers()
    expect(handler).toHaveBeenCalledTimes(3)
    expect(await rowOf('jobs')).toMatchObject({ state: 'done', payload: null, lastError: null })
  })

  it('is tried nine times in three and a half days, and kept then', async () => {
    const handler = vi.fn(() => Promise.reject(new Error('no')))
    const app = new TestApp(withBilling({ on: { '*': handler } }))
    await sendEvent(app, example, { id: 'msg_1' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (const minutes of [1, 5, 15, 60, 240, 720, 1440, 2880]) {
      const tries = handler.mock.calls.length
      vi.setSystemTime(Date.now() + minutes * 60_000 - 5000)
      await app.runScheduled()
      expect(handler).toHaveBeenCalledTimes(tries)
      vi.setSystemTime(Date.now() + 10_000)
      await app.runScheduled()
      expect(handler).toHaveBeenCalledTimes(tries + 1)
    }
    vi.setSystemTime(Date.now() + 30 * 86_400_000)
    await app.runScheduled()
    vi.useRealTimers()
    expect(handler).toHaveBeenCalledTimes(9)
    const [kept] = await listUndoneWebhooks(app.openScope().scope)
    expect(kept).toMatchObject({ id: 'msg_1', attempts: 9, nextAt: null, lastError: expect.stringContaining('no') })
  })

  it('can be replayed; a completed or unknown one cannot', async () => {
    let broken = true
    const app = new TestApp(
      withBilling({
        on: {
          '*': () => {
            if (broken) throw new Error('no')
          },
        },
      }),
    )
    await sendEvent(app, example, { id: 'msg_1' })
    const { scope } = app.openScope()
    expect(await replayWebhook(scope, 'msg_1')).toEqual({ done: false })
    broken = false
    expect(await replayWebhook(scope, 'msg_1')).toEqual({ done: true })
    await expect(replayWebhook(scope, 'msg_1')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    await expect(replayWebhook(scope, 'msg_2')).rejects.toMatchObject({ status: 404 })
  })

  it('the ledger deletes completed entries after their lifetime, and no others', async () => {
    const app = new TestApp(withBilling({ on: { 'order.paid': () => Promise.reject(new Error('no')) } }))
    await sendEvent(app, example)
    await sendEvent(app, { type: 'order.paid', data: examples['order.paid'] })
    vi.useFakeTimers({ now: Date.now() + 91 * 86_400_000, toFake: ['Date'] })
    await app.runScheduled()
    vi.useRealTimers()
    expect((await listUndoneWebhooks(app.openScope().scope)).map(({ type }) => type)).toEqual(['order.paid'])
    expect((await jobsOf('billing-inbox')).length).toBe(1)
  })
})

describe('entitlements', () => {
  /** Alice buys a product; `told` returns the events that the provider must send. */
  async function bought() {
    const provider = installProvider()
    const app = new TestApp(withBilling(outbox))
    const device = await signUp(app, alice)
    const checkout = (await device.post('/checkout', { slug: 'pro' })).body.url.split('/').at(-1)
    const { subscription_id } = provider.pay(checkout)
    const userId = await idOf(alice.email)
    const read = () => readEntitlements(app.openScope().scope, userId)
    const shape = async () => {
      const { activeSubscriptions, grantedBenefits, activeMeters } = await read()
      return [activeSubscriptions.length, grantedBenefits.length, activeMeters.length]
    }
    return { provider, app, device, userId, read, shape, subscriptionId: subscription_id! }
  }

  const told = (provider: BillingProvider) => provider.events.splice(0)

  it('follow the webhooks, in one round trip', async () => {
    const { provider, app, read, shape, subscriptionId, userId } = await bought()
    expect(await shape()).toEqual([0, 0, 0])
    await deliverAll(app, provider)
    const { customer, activeSubscriptions, grantedBenefits, activeMeters, asOf } = await read()
    expect(customer).toMatchObject({ email: alice.email, externalId: userId })
    expect(activeSubscriptions).toMatchObject([{ id: subscriptionId, status: 'active', productId: 'prod_pro' }])
    expect(grantedBenefits).toMatchObject([{ benefitType: 'custom' }])
    expect(activeMeters).toMatchObject([{ creditedUnits: 1000, balance: 1000 }])
    expect(asOf).toBeInstanceOf(Date)
    const { scope } = app.openScope()
    await readEntitlements(scope, userId)
    expect(scope.io.used.d1).toBe(1)
    provider.cancel(subscriptionId)
    await deliverAll(app, provider)
    expect(await shape()).toEqual([0, 0, 0])
  })

  it('a webhook costs one round trip, and two with handlers', async () => {
    const { provider, app } = await bought()
    for (const event of told(provider)) {
      const { io } = await sendEvent(app, event)
      expect(io.d1![0]).toBe(1)
    }
    const handled = new TestApp(withBilling({ on: { '*': () => {} } }))
    const { io } = await sendEvent(handled, example)
    expect(io.d1![0]).toBe(2)
  })

  it('in any order, each twice, 20 in parallel: the latest event wins', async () => {
    const { provider, app, shape, subscriptionId } = await bought()
    // The provider's times have milliseconds.
    vi.useFakeTimers({ now: Date.now() + 2000, toFake: ['Date'] })
    provider.cancel(subscriptionId)
    vi.useRealTimers()
    const events = told(provider)
    const orders = [
      [...events].reverse(),
      events,
      [...events.slice(5), ...events.slice(0, 5)],
      events.toSorted((a, b) => a.type.localeCompare(b.type)),
    ]
    for (const order of orders) {
      await empty('jobs', 'billing_customers')
      const messages = await Promise.all([...order, ...order].map((event) => signWebhook(event)))
      for (const message of messages) expect((await sendWebhook(app.device(), message)).status).toBe(200)
      expect(await shape()).toEqual([0, 0, 0])
    }
    await empty('jobs', 'billing_customers')
    const messages = await Promise.all([...events, ...events].map((event) => signWebhook(event)))
    await Promise.all(messages.map((message) => sendWebhook(app.device(), message)))
    expect(await shape()).toEqual([0, 0, 0])
  })

  it('an older event does not bring back what a newer one of its own ended', async () => {
    const { provider, app, shape, subscriptionId } = await bought()
    const active = told(provider).find(({ type }) => type === 'subscription.active')!
    vi.useFakeTimers({ now: Date.now() + 2000, toFake: ['Date'] })
    provider.cancel(subscriptionId)
    vi.useRealTimers()
    const revoked = told(provider).find(({ type }) => type === 'subscription.revoked')!
    for (const event of [revoked, active]) await sendEvent(app, event)
    expect(await shape()).toEqual([0, 0, 0])
  })

  it('nor what a newer state does not know of', async () => {
    const { provider, app, shape } = await bought()
    const events = told(provider)
    const state = structuredClone(events.find(({ type }) => type === 'customer.state_changed')!)
    Object.assign(state.data as object, { active_subscriptions: [], granted_benefits: [], active_meters: [] })
    state.timestamp = new Date(Date.parse(state.timestamp) + 60_000).toISOString()
    for (const event of [state, ...events]) await sendEvent(app, event)
    expect(await shape()).toEqual([0, 0, 0])
  })

  it('an older state does not end what came after it', async () => {
    const { provider, app, shape } = await bought()
    const events = told(provider)
    const empty = structuredClone(events.find(({ type }) => type === 'customer.state_changed')!)
    Object.assign(empty.data as object, { active_subscriptions: [], granted_benefits: [], active_meters: [] })
    empty.timestamp = new Date(Date.parse(empty.timestamp) - 60_000).toISOString()
    for (const event of events) await sendEvent(app, event)
    await sendEvent(app, empty)
    expect(await shape()).toEqual([1, 1, 1])
  })

  it('other customers are not stored: a random external id creates no user and no record', async () => {
    const { provider, app } = await bought()
    const people = await count('users')
    provider.create({ email: 'stranger@example.com', external_id: 'another-product' })
    provider.create({ email: 'visitor@example.com' })
    const strangers = told(provider).slice(-2)
    for (const event of strangers) expect((await sendEvent(app, event)).status).toBe(200)
    expect({ users: await count('users'), billingCustomers: await count('billing_customers') }).toEqual({
      users: people,
      billingCustomers: 0,
    })
  })

  it('a customer who becomes another user leaves no entitlements behind', async () => {
    const { provider, app, shape, userId } = await bought()
    await deliverAll(app, provider)
    const { customer } = provider.accountOf(userId)
    const moment = new Date(Date.now() + 1000).toISOString()
    await sendEvent(app, { type: 'customer.updated', data: { ...customer, external_id: 'x', modified_at: moment } })
    expect(await shape()).toEqual([0, 0, 0])
  })

  it('a late event does not restore an earlier user; a newer event does', async () => {
    const { provider, app, shape, userId, read } = await bought()
    const events = told(provider)
    for (const event of events) await sendEvent(app, event)
    const { customer } = provider.accountOf(userId)
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
    const become = (external_id: string | null, seconds: number) =>
      sendEvent(app, { type: 'customer.updated', data: { ...customer, external_id, modified_at: at(seconds) } })
    for (const stranger of [null, 'x']) {
      await become(stranger, 10)
      for (const event of events) await sendEvent(app, event)
      expect({ shape: await shape(), customer: (await read()).customer }).toEqual({ shape: [0, 0, 0], customer: null })
    }
    expect(await count('billing_entitlements')).toBe(0)
    await become(userId, 20)
    expect((await read()).customer).toMatchObject({ externalId: userId })
  })

  it('of two customers of the same user the newest event counts', async () => {
    const { provider, app, userId, read } = await bought()
    await deliverAll(app, provider)
    const { customer } = provider.accountOf(userId)
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
    for (const [id, seconds] of [
      ['zzz', 10],
      ['000', 20],
      ['yyy', 30],
    ] as const) {
      await sendEvent(app, { type: 'customer.created', data: { ...customer, id, created_at: at(seconds) } })
      expect((await read()).customer).toMatchObject({ id })
    }
  })

  it('a deleted customer has nothing, after late events too', async () => {
    const { provider, app, shape, userId } = await bought()
    const events = told(provider)
    for (const event of events) await sendEvent(app, event)
    const { customer } = provider.accountOf(userId)
    const moment = new Date(Date.now() + 1000).toISOString()
    await sendEvent(app, { type: 'customer.deleted', data: { ...customer, modified_at: moment, deleted_at: moment } })
    expect(await shape()).toEqual([0, 0, 0])
    for (const event of events) await sendEvent(app, event)
    expect(await shape()).toEqual([0, 0, 0])
  })

  it('also when the deletion is the first that is heard of them', async () => {
    const { provider, app, shape, userId } = await bought()
    const { customer } = provider.accountOf(userId)
    const moment = new Date(Date.now() + 60_000).toISOString()
    const deleted = { ...customer, modified_at: moment, deleted_at: moment }
    await sendEvent(app, { type: 'customer.deleted', data: deleted })
    for (const event of told(provider)) await sendEvent(app, event)
    expect(await shape()).toEqual([0, 0, 0])
  })
})
