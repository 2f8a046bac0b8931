import ipaddr from 'ipaddr.js'

/** Names that lead to this machine or stay inside a network, whatever they resolve to (RFC 6761, RFC 8375). */
const insideNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|test|invalid|onion)$/i

/**
 * Whether an address that others have named may be fetched from here: https at its usual port, a public host name with
 * a dot, no address by number, no userinfo. (What a name resolves to is not ours to see; the platform's fetch reaches
 * no private network.)
 */
export function isPublicAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (protocol !== 'https:' || port !== '' || username || password) return false
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return host.includes('.') && !ipaddr.isValid(host) && !insideNames.test(host)
}
