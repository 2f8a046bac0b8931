import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { LiveChange } from '../lib/auth/live.ts'
import type { GatehouseClient } from './client.ts'
import { createGatehouseHooks } from './react.ts'

/** A page without elements, and a React that keeps every component mounted: hooks subscribe, and never leave. */
const page = vi.hoisted(() => {
  const listeners: (() => void)[] = []
  const document = {
    visibilityState: 'visible',
    addEventListener: (_name: 'visibilitychange', listener: () => void) => void listeners.push(listener),
  }
  Object.assign(globalThis, { document })
  return { listeners, document }
})

vi.mock('react', () => ({
  useState: (make: () => unknown) => [make()],
  useSyncExternalStore: (subscribe: (listener: () => void) => void, get: () => unknown) => {
    subscribe(() => {})
    return get()
  },
}))

const hooks = ['useConfig', 'useSignInMethods', 'usePendingEmail', 'useCustomerState'] as const
type Hook = (typeof hooks)[number]

/** The hooks that each message refreshes. The type requires a row for each message. */
const refreshed: Record<LiveChange, Hook[]> = {
  user: ['usePendingEmail'],
  sessions: ['useSignInMethods'],
  credentials: ['useSignInMethods', 'usePendingEmail'],
  organizations: [],
  purchases: ['useCustomerState'],
  approvals: [],
}
const ownData: Hook[] = ['useSignInMethods', 'usePendingEmail', 'useCustomerState']

/** The hooks in use, the requests that they have made since the last look, and the messages of the server. */
async function scene(live: boolean) {
  const made: Hook[] = []
  const answer = (hook: Hook) => async () => {
    made.push(hook)
    return { data: {}, error: null }
  }
  let channel: { onChange(changed: ReadonlySet<LiveChange>): void; onEnd?(): void } | undefined
  const client = {
    config: answer('useConfig'),
    listSignInMethods: answer('useSignInMethods'),
    changeEmail: { pending: answer('usePendingEmail') },
    customer: { state: answer('useCustomerState') },
    $live: (given: typeof channel) => {
      channel = given
      return () => {}
    },
  } as unknown as GatehouseClient
  const created = createGatehouseHooks(client, { live })
  for (const hook of hooks) created[hook]()
  const look = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return made.splice(0)
  }
  expect(await look()).toEqual(hooks)
  return { look, channel: () => channel }
}

beforeEach(() => void page.listeners.splice(0))

describe('the hooks of a page with the live channel', () => {
  it.each(Object.entries(refreshed))('after a message about %s load again: %j', async (change, expected) => {
    const { look, channel } = await scene(true)
    channel()!.onChange(new Set([change as LiveChange]))
    expect(await look()).toEqual(expected)
  })

  it('load each once after a message about several changes', async () => {
    const { look, channel } = await scene(true)
    channel()!.onChange(new Set(Object.keys(refreshed) as LiveChange[]))
    expect(await look()).toEqual(ownData)
  })

  it('load the data of the user again after the end of the session', async () => {
    const { look, channel } = await scene(true)
    channel()!.onEnd!()
    expect(await look()).toEqual(ownData)
  })
})

describe('the hooks of any page', () => {
  it.each([true, false])('load the data of the user again when the page becomes visible; live: %j', async (live) => {
    const { look } = await scene(live)
    for (const becomeVisible of page.listeners) becomeVisible()
    expect(await look()).toEqual(ownData)
  })

  it('open no connection unless it is on', async () => {
    expect((await scene(false)).channel()).toBeUndefined()
  })
})
