import ipaddr from 'ipaddr.js'
import type { Scope } from '../../identity/scope.ts'
import { seconds } from '../../kit/time.ts'

/** Documents of clients are small. */
const mostBytes = 16 * 1024

/** Names that lead to this machine or stay inside a network, whatever they resolve to (RFC 6761, RFC 8375). */
const insideNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|test|invalid|onion)$/i

/**
 * Whether an address that a stranger has named may be fetched from here: https at its usual port, a public host name
 * with a dot, no address by number, no userinfo. (What a name resolves to is not ours to see; the platform's fetch
 * reaches no private network.)
 */
export function isPublicAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (protocol !== 'https:' || port !== '' || username || password) return false
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return host.includes('.') && !ipaddr.isValid(host) && !insideNames.test(host)
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
