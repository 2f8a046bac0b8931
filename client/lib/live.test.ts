import { beforeEach, describe, expect, it, vi } from 'vitest'
import { endpoints } from './auth/endpoints.generated.ts'
import type { LiveChange } from './auth/live.ts'
import { refresh } from './live.ts'

const { refetch, refreshQueries } = vi.hoisted(() => ({ refetch: vi.fn(), refreshQueries: vi.fn() }))
vi.mock('./api.ts', () => ({ auth: { $session: { refetch } }, tab: 'tab', useConfig: () => ({ features: {} }) }))
vi.mock('./deployment.ts', () => ({ deployment: { api: '/api/auth' } }))
vi.mock('./queries.ts', () => ({ refreshQueries }))

beforeEach(() => vi.clearAllMocks())

/** The views that a call of this page invalidates, by its contract. */
const viewsOfCall = (path: string): string[] =>
  Object.entries(endpoints)
    .filter(([, paths]) => (paths as readonly string[]).includes(path))
    .flatMap(([entry]) => entry.split(' ').slice(1))

function refreshed(change: LiveChange): Set<string> {
  refresh(new Set([change]))
  const session = refetch.mock.calls.length > 0 ? ['session'] : []
  return new Set([...session, ...refreshQueries.mock.calls.flat()] as string[])
}

describe('a message of the live channel', () => {
  it.each<[LiveChange, string]>([
    ['user', '/update-user'],
    ['credentials', '/passkey/delete-passkey'],
    ['organizations', '/organization/create'],
    ['organizations', '/organization/delete'],
    ['organizations', '/organization/leave'],
    ['organizations', '/organization/update-member-role'],
  ])('%s loads every view that %s of the same page loads', (change, path) => {
    const views = viewsOfCall(path)
    expect(views).not.toEqual([])
    expect([...refreshed(change)]).toEqual(expect.arrayContaining(views))
  })

  it('loads nothing else', () => {
    expect([...refreshed('user')]).toEqual(['session'])
    expect(refetch).toHaveBeenCalledWith(true)
    refetch.mockClear()
    expect([...refreshed('sessions')]).toEqual(['sessions', 'securityEvents'])
    refreshQueries.mockClear()
    expect([...refreshed('purchases')]).toEqual(['billing'])
  })
})
