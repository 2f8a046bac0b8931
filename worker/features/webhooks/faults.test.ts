import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Config } from '../../read-config.ts'
import { type Fault, FaultInjector } from '../../testing/faults.ts'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { alice, signUp } from '../../testing/people.ts'
import type { Hooks } from '../hooks/hooks.config.ts'

/**
 * One piece of I/O of ours fails, before it was done or after, with the answer or after it: what was written is told by
 * webhook, and what was not is told by nobody.
 */

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const count = async (query: string) =>
  (await env.DB.prepare(`select count(*) as n from ${query}`).first<{ n: number }>())!.n

interface Case {
  act(device: Device): Promise<{ status: number }>
  type: string
  hook: keyof Hooks
  /** Whether it has been done, as the database has it. */
  done(): Promise<boolean>
  withAccount: boolean
}

const cases: Record<string, Case> = {
  'sign-up': {
    act: (device) => device.post('/sign-up/email', alice),
    type: 'user.created',
    hook: 'userCreated',
    done: async () => (await count('users')) === 1,
    withAccount: false,
  },
  'sign-out': {
    act: (device) => device.post('/sign-out'),
    type: 'session.ended',
    hook: 'signedOut',
    done: async () => (await count('sessions')) === 0,
    withAccount: true,
  },
  'a new name': {
    act: (device) => device.post('/update-user', { name: 'Al' }),
    type: 'user.updated',
    hook: 'userUpdated',
    done: async () => (await count("users where name = 'Al'")) === 1,
    withAccount: true,
  },
  'an organization': {
    act: (device) => device.post('/organization/create', { name: 'Acme', slug: 'acme' }),
    type: 'organization.created',
    hook: 'organizationCreated',
    done: async () => (await count('organizations')) === 1,
    withAccount: true,
  },
}

it.each(Object.entries(cases))(
  '%s: told if it was done, by one message; the hook is told once at most, and never of what was not done',
  async (_name, { act, type, hook, done, withAccount }) => {
    const run = async (fault: Fault | null): Promise<number> => {
      vi.useRealTimers()
      await env.DB.batch(
        ['users', 'organizations', 'webhook_deliveries'].map((t) => env.DB.prepare(`delete from ${t}`)),
      )
      const receiver = new WebhookReceiver()
      installReceivers(receiver)
      const faults = new FaultInjector()
      const endpoints = [{ url: receiver.url, events: ['*'], secrets: ['WEBHOOK_SECRET_ACME'] }]
      let hooked = 0
      const hooks = { [hook]: () => void hooked++ }
      const config = { rateLimit: { enabled: false }, webhooks: { endpoints }, hooks } as Config
      const secrets = { WEBHOOK_SECRET_ACME: webhookSecret('a') } as object
      const app = new TestApp(config, { ...faults.bindings(), ...secrets }, false)
      const device = withAccount ? await signUp(app, alice) : app.device()
      hooked = 0
      if (fault) faults.arm(fault)
      else faults.watch()
      expect([200, 503]).toContain((await act(device)).status)
      const calls = faults.calls.length
      faults.watch()
      expect([fault, hooked <= ((await done()) ? 1 : 0)]).toEqual([fault, true])
      if (!fault) expect(hooked).toBe(1)
      const now = Date.now()
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(now + 7_200_000)
      await app.runScheduled()
      const told = receiver.taken.filter((message) => message.type === type)
      expect([fault, new Set(told.map(({ id }) => id)).size]).toEqual([fault, (await done()) ? 1 : 0])
      expect([fault, await count("webhook_deliveries where state <> 'delivered'")]).toEqual([fault, 0])
      return calls
    }
    const calls = await run(null)
    // Its own, and those of the delivery.
    expect(calls).toBeGreaterThan(2)
    for (let at = 1; at <= calls; at++) for (const when of ['before', 'after'] as const) await run({ at, when })
  },
)
