import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { LiveChange } from '../lib/auth/live.ts'
import { createGatehouseClient } from './client.ts'
import { createGatehouseHooks } from './react.ts'

/** A page without elements, and a React that keeps every component mounted: hooks subscribe, and never leave. */
const page = vi.hoisted(() => {
  const listeners: (() => void)[] = []
  const document = {
    visibilityState: 'visible',
    addEventListener: (_name: 'visibilitychange', listener: () => void) => void listeners.push(listener),
  }
  Object.assign(globalThis, { document })
  /** The snapshot that a server renders, of the last hook. */
  const server = { get: (): unknown => null }
  const live = {
    channel: undefined as { onChange(changed: ReadonlySet<LiveChange>): void; onEnd?(): void } | undefined,
  }
  return { listeners, server, live }
})

vi.mock('react', () => ({
  useState: (make: () => unknown) => [make()],
  useSyncExternalStore: (subscribe: (listener: () => void) => void, get: () => unknown, onServer: () => unknown) => {
    page.server.get = onServer
    subscribe(() => {})
    return get()
  },
}))
vi.mock('../lib/auth/live.ts', () => ({
  openLiveChannel: (given: typeof page.live.channel) => {
    page.live.channel = given
    return () => {}
  },
}))

const paths = {
  useSession: '/get-session',
  useOrganizations: '/organization/list',
  useActiveOrganization: '/organization/get-full-organization',
  useConfig: '/config',
  useSignInMethods: '/list-sign-in-methods',
  usePendingEmail: '/change-email/pending',
  useCustomerState: '/customer/state',
} as const
type Hook = keyof typeof paths
const hooks = Object.keys(paths) as Hook[]

/** The hooks that each message refreshes. The type requires a row for each message. */
const refreshed: Record<LiveChange, Hook[]> = {
  user: ['useSession', 'usePendingEmail'],
  sessions: ['useSession', 'useActiveOrganization', 'useSignInMethods'],
  credentials: ['useSignInMethods', 'usePendingEmail'],
  organizations: ['useOrganizations', 'useActiveOrganization'],
  purchases: ['useCustomerState'],
  approvals: [],
}
const ownData = hooks.filter((hook) => hook !== 'useConfig')

/** The hooks in use, and the requests that they have made since the last look. */
async function scene({ live = false, used = hooks }: { live?: boolean; used?: Hook[] } = {}) {
  const made: string[] = []
  const fetch = (async (url: string) => {
    made.push(new URL(url).pathname.replace('/api/auth', ''))
    return Response.json({})
  }) as unknown as typeof globalThis.fetch
  const client = createGatehouseClient({ baseURL: 'https://a.example', fetch, navigate: () => {} })
  const created = createGatehouseHooks(client, { live })
  for (const hook of used) created[hook]()
  const look = async () => {
    // The session is read first, then what depends on it.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve))
    const seen = made.splice(0)
    return hooks.filter((hook) => seen.includes(paths[hook]))
  }
  expect(await look()).toEqual(used)
  return { look, client, created }
}

beforeEach(() => {
  page.listeners.splice(0)
  page.live.channel = undefined
})

describe('the hooks of a page with the live channel', () => {
  it.each(Object.entries(refreshed))('after a message about %s load again: %j', async (change, expected) => {
    const { look } = await scene({ live: true })
    page.live.channel!.onChange(new Set([change as LiveChange]))
    expect(await look()).toEqual(expected)
  })

  it('load each once after a message about several changes', async () => {
    const { look } = await scene({ live: true })
    page.live.channel!.onChange(new Set(Object.keys(refreshed) as LiveChange[]))
    expect(await look()).toEqual(ownData)
  })

  it('load the data of the user again after the end of the session', async () => {
    const { look } = await scene({ live: true })
    page.live.channel!.onEnd!()
    expect(await look()).toEqual(ownData)
  })
})

describe('the hooks of any page', () => {
  it.each([true, false])('load the data of the user again when the page becomes visible; live: %j', async (live) => {
    const { look } = await scene({ live })
    for (const becomeVisible of page.listeners) becomeVisible()
    expect(await look()).toEqual(ownData)
  })

  it('load again what a call of the client has changed', async () => {
    const { look, client } = await scene()
    await client.organization.setActive({ organizationId: 'o' })
    expect(await look()).toEqual(ownData)
    await client.organization.update({ data: { name: 'Acme' } })
    expect(await look()).toEqual(['useOrganizations', 'useActiveOrganization'])
  })

  it('open no connection unless it is on', async () => {
    await scene()
    expect(page.live.channel).toBeUndefined()
  })
})

describe('a session that came with the page', () => {
  const known = { user: { id: 'u', name: 'Ada' }, session: { id: 's' } } as never

  it.each([
    ['a user', known],
    ['a visitor', null],
  ])('of %s is shown at once, on the server too, without a request', async (_, session) => {
    const { look, created } = await scene({ used: [] })
    expect(created.useSession(session)).toMatchObject({ data: session, isPending: false })
    expect(page.server.get()).toMatchObject({ data: session, isPending: false })
    expect(await look()).toEqual([])
  })

  it('gives way to what the client has loaded since', async () => {
    const { look, client, created } = await scene({ used: [] })
    created.useSession(known)
    await client.signOut()
    expect(await look()).toEqual(['useSession'])
    expect(created.useSession(known).data).toEqual({})
  })
})
