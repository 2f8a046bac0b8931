import type { Use } from '../identity/lifecycle.ts'
import type { Endpoint } from './endpoint.ts'

/** What each call uses before its handler. */
const always: readonly Use[] = ['guarding', 'identifying', 'forbids', 'permissions']

const known = new WeakMap<Endpoint, readonly Use[] | 'all'>()

/**
 * The places and contributions of features that a call uses: they are loaded before it. A GET that changes nothing uses what
 * its contract says; all other calls may use everything.
 */
export function usesOf(endpoint: Endpoint): readonly Use[] | 'all' {
  const uses = known.get(endpoint) ?? findUses(endpoint)
  known.set(endpoint, uses)
  return uses
}

function findUses({ method, changes, reads: { uses = [] } = {} }: Endpoint): readonly Use[] | 'all' {
  if (method !== 'GET' || changes.length > 0 || uses === 'all') return 'all'
  return [...always, ...uses]
}
