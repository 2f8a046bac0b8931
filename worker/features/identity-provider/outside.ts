import type { Scope } from '../../identity/scope.ts'
import { isPublicAddress } from '../../kit/public-address.ts'
import { seconds } from '../../kit/time.ts'

/** Documents of clients are small. */
const mostBytes = 16 * 1024

/** What a client publishes at an address of its own costs whichever endpoint it comes to a fetch. */
export function allowFetch({ allowed }: Scope): void {
  allowed.outside += 1
}

/** The JSON behind an address that a client has named; null when it may not be fetched, or is none. Bounded in time and size. */
export async function fetchJson(scope: Scope, address: string): Promise<unknown> {
  if (!isPublicAddress(address)) return null
  try {
    const answer = await scope.outside(address, { headers: { accept: 'application/json' }, timeout: seconds(3) })
    if (answer.status !== 200 || !/\bjson\b/.test(answer.headers.get('content-type') ?? '')) return null
    let text = ''
    let size = 0
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > mostBytes) return null
      text += decoder.decode(chunk, { stream: true })
    }
    return JSON.parse(text + decoder.decode())
  } catch {
    return null
  }
}
