import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../read-config.ts'
import { env, TestApp } from '../../testing/harness.ts'
import { company, invite, join, someone } from '../../testing/organizations.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'

const unlimited = { rateLimit: { enabled: false } } as const
const secrets = { WEBHOOK_SECRET_ACME: webhookSecret('a') }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** An app whose one receiver wants everything. */
function acme(more: Config = {}, events: string[] = ['*']) {
  const receiver = new WebhookReceiver()
  installReceivers(receiver)
  const endpoints = [{ url: receiver.url, events, secrets: ['WEBHOOK_SECRET_ACME'] }]
  const app = new TestApp({ ...unlimited, webhooks: { endpoints }, ...more } as Config, secrets as object)
  return { app, receiver }
}

const rows = async () =>
  (await env.DB.prepare('select * from webhook_deliveries order by seq').all<Record<string, unknown>>()).results

const passTime = (milliseconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
const hour = 3_600_000

describe('a message', () => {
  it('tells what get-session tells, signed as Standard Webhooks has it, without anything secret', async () => {
    const { app, receiver } = acme({
      user: { additionalFields: { level: { type: 'number' }, inner: { type: 'string', returned: false } } },
    })
    const device = await signUp(app, alice, { level: 3, inner: 'x' })
    const { user, session } = (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body
    expect(receiver.types).toEqual(['user.created', 'session.created'])
    const [created, signedIn] = receiver.taken
    expect(created!.data.user).toEqual(user)
    const { token, ...known } = session
    expect(signedIn!.data.user).toEqual(user)
    expect(signedIn!.data.session).toMatchObject({ ...known, method: 'sign-up' })
    expect(receiver.requests.map(({ body }) => body).join()).not.toContain(token)
    expect(receiver.requests.map(({ body }) => body).join()).not.toMatch(/password|scrypt|inner/i)
    expect(Date.parse(created!.timestamp)).toBe(Date.parse(user.createdAt))
  })
})
