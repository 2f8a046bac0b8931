import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { type EventType, eventTypes } from '../../identity/model/events.ts'
import { allCases, type World } from '../../testing/cases.ts'
import { TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { deleteRows } from '../../testing/rows.ts'
import { jobsOf } from '../../testing/states.ts'
import { hookOptions } from '../hooks/hooks.config.ts'

/**
 * Every action that has events, with the facts that receivers and hooks get. Budgets hold with both on, because the
 * harness fails a request that costs more than its endpoint declares.
 */

const world = async (config: Config = {}): Promise<World & { told: string[]; receiver: WebhookReceiver }> => {
  const provider = new OAuthProvider(google).install()
  const receiver = new WebhookReceiver()
  installReceivers(receiver)
  const told: string[] = []
  const names = Object.keys(hookOptions.defaults)
  const hooks = Object.fromEntries(names.map((name) => [name, () => void told.push(name)]))
  const app = new TestApp(
    {
      rateLimit: { enabled: false },
      user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
      socialProviders: { google: { ...provider.options, overrideUserInfoOnSignIn: true } },
      phoneNumber: { signUpOnVerification: true },
      webhooks: { endpoints: [{ url: receiver.url, events: ['*'], secrets: ['WEBHOOK_SECRET_ACME'] }] },
      hooks,
      ...config,
    } as Config,
    { WEBHOOK_SECRET_ACME: webhookSecret('a') } as object,
  )
  const begin = async () => {
    for (const { id } of await jobsOf('webhook')) await deleteRows('jobs', { id })
    told.length = 0
  }
  return { app, provider, begin, told, receiver }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const table = allCases.flatMap(({ events = {} }) => Object.entries(events))

describe('receivers and hooks receive', () => {
  it.each(table)('%s', async (_way, { act, config, events, hooks }) => {
    const { told, receiver, ...at } = await world(config)
    await act(at)
    const results = (await jobsOf('webhook'))
      .map(({ id, state }) => ({ type: receiver.taken.find((one) => one.id === id)?.type, state }))
      .filter(({ type }) => type !== 'security.event')
    expect(results).toEqual(events.map((type) => ({ type, state: 'done' })))
    expect([...told].sort()).toEqual([...hooks].sort())
  })

  it('everything that there are events and hooks for', () => {
    // features/security-log/every-security-event.test.ts covers the sign-in log.
    const events = new Set<EventType>(['security.event', ...table.flatMap(([, one]) => one.events)])
    expect(eventTypes.filter((type) => !events.has(type))).toEqual([])
    const hooks = new Set(table.flatMap(([, one]) => one.hooks))
    expect(Object.keys(hookOptions.defaults).filter((name) => !hooks.has(name))).toEqual([])
  })
})
