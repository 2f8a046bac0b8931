import type { Scope } from '../../../identity/scope.ts'
import { isClientAddress } from '../../../kit/public-address.ts'
import { seconds } from '../../../kit/time.ts'
import { readText } from '../../../platform/outside.ts'

const maxBytes = 16 * 1024

/** Adds the fetch of a client's document or keys to the I/O budget of any endpoint. */
export function allowFetch({ allowed }: Scope): void {
  allowed.outside += 1
}

/** The JSON at an address of a client; null if the address is not allowed or returns no JSON. Limited in time and size (bytes). */
export async function fetchJson(scope: Scope, address: string, limit: number = maxBytes): Promise<unknown> {
  if (!isClientAddress(address, scope.settings)) return null
  try {
    const answer = await scope.outside(address, { headers: { accept: 'application/json' }, timeout: seconds(3) })
    if (answer.status !== 200 || !/\bjson\b/.test(answer.headers.get('content-type') ?? '')) return null
    const text = await readText(answer, limit)
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
