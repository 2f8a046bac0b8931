import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { type Fault, FaultInjector } from '../../testing/faults.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count, empty, rowsOf } from '../../testing/rows.ts'
import { sample } from '../../testing/sample.ts'
import type { Hooks } from '../hooks/hooks.config.ts'

/**
 * One I/O operation fails, before or after its effect, before or after the response: the server sends a webhook for
 * each stored write, and none for other writes.
 */

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface Case {
  act(device: Device): Promise<{ status: number }>
  type: string
  hook: keyof Hooks
  /** Whether the database contains the write. */
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
    done: async () => (await count('users', { name: 'Al' })) === 1,
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

it.each(sample(Object.entries(cases), 1))(
  '%s: sends one message if it was done; calls the hook at most once, and never if it was not done',
  async (_name, { act, type, hook, done, withAccount }) => {
    const run = async (fault: Fault | null): Promise<number> => {
      vi.useRealTimers()
      await empty('users', 'organizations', 'jobs')
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
      expect({ fault, hookedAtMostOnce: hooked <= ((await done()) ? 1 : 0) }).toEqual({ fault, hookedAtMostOnce: true })
      if (!fault) expect(hooked).toBe(1)
      const now = Date.now()
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(now + 7_200_000)
      await app.runScheduled()
      const told = receiver.taken.filter((message) => message.type === type)
      expect({ fault, messages: new Set(told.map(({ id }) => id)).size }).toEqual({
        fault,
        messages: (await done()) ? 1 : 0,
      })
      expect({ fault, openJobs: (await rowsOf('jobs')).filter(({ state }) => state !== 'done').length }).toEqual({
        fault,
        openJobs: 0,
      })
      return calls
    }
    const calls = await run(null)
    // Its own jobs and those of the delivery.
    expect(calls).toBeGreaterThan(2)
    for (let at = 1; at <= calls; at++) for (const when of ['before', 'after'] as const) await run({ at, when })
  },
)
