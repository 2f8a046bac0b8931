import type { Scope } from '../../../../identity/scope.ts'
import { isClientAddress } from '../../../../kit/public-address.ts'
import { minutes, seconds } from '../../../../kit/time.ts'
import { addressBucket } from '../../../../platform/client-address.ts'
import { readText } from '../../../../platform/outside.ts'

const maxBytes = 16 * 1024

/**
 * The fetches that requests without authentication cause in any minute: by one address for each kind, to one host, and of the
 * deployment. `rateLimit` does not switch these budgets off: they protect other servers.
 */
export const fetchBudgets = { document: 20, keys: 60, host: 120, deployment: 600 } as const

/** Adds the fetch of a client's document or keys to the I/O budget of any endpoint. */
export function allowFetch({ io }: Scope): void {
  io.declare({ outside: 1 })
}

/** Counts a fetch against each budget. An address that has used its own takes nothing from the others. */
async function spendFetch(scope: Scope, kind: 'document' | 'keys', address: string): Promise<boolean> {
  const names = {
    [`${kind}:${addressBucket(scope.request.ip)}`]: fetchBudgets[kind],
    [`host:${new URL(address).hostname}`]: fetchBudgets.host,
    deployment: fetchBudgets.deployment,
  }
  for (const [name, max] of Object.entries(names)) {
    const rule = { max, window: minutes(1), rolling: true }
    const { allowed } = await scope.io.uncounted.counters.hit(`client-fetch:${name}`, rule)
    if (!allowed) return false
  }
  return true
}

/**
 * The JSON at an address of a client; null if the address is not allowed, a budget is used up, or it returns no JSON. Limited in time and
 * size (bytes).
 */
export async function fetchJson(
  scope: Scope,
  address: string,
  { kind, limit = maxBytes }: { kind: 'document' | 'keys'; limit?: number },
): Promise<unknown> {
  if (!isClientAddress(address, scope.settings) || !(await spendFetch(scope, kind, address))) return null
  try {
    const answer = await scope.outside(address, { headers: { accept: 'application/json' }, timeout: seconds(3) })
    if (answer.status !== 200 || !/\bjson\b/.test(answer.headers.get('content-type') ?? '')) return null
    const text = await readText(answer, limit)
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
