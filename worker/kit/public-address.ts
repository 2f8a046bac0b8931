import ipaddr from 'ipaddr.js'

/** Names of this machine or of a private network, for every resolver (RFC 6761, RFC 8375). */
const insideNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|test|invalid|onion)$/i

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** The port of an address without one. */
const usualPort = 443

/**
 * Whether an address of others may be fetched: https at its usual port, a public host name with a dot, no userinfo. The
 * platform's fetch reaches no private network, whatever the name resolves to.
 * @param ports replaces the usual port, where the configuration allows others
 */
export function isPublicAddress(text: string, ports: readonly number[] = [usualPort]): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const { protocol, port, username, password } = url
  if (protocol !== 'https:' || username || password || !ports.includes(Number(port) || usualPort)) return false
  const host = hostOf(url)
  return host.includes('.') && !ipaddr.isValid(host) && !insideNames.test(host)
}

/**
 * Whether an address points to this machine: http(s) with exactly these names (RFC 8252, section 8.3), without
 * userinfo.
 */
export function isLoopbackAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

/** The address of this deployment. */
export interface DeploymentAddress {
  baseUrl: string
  environment: 'production' | 'development'
}

/**
 * Whether we may request an address that a client names: a public one outside our own registrable domain, whose hosts
 * may trust ours; in development also this machine, except our own port.
 */
export function isClientAddress(
  text: string,
  { baseUrl, environment }: DeploymentAddress,
  ports?: readonly number[],
): boolean {
  if (environment === 'development' && isLoopbackAddress(text)) {
    return !(isLoopbackAddress(baseUrl) && new URL(text).port === new URL(baseUrl).port)
  }
  if (!isPublicAddress(text, ports)) return false
  const own = registrableDomain(hostOf(new URL(baseUrl)))
  const host = hostOf(new URL(text))
  return host !== own && !host.endsWith(`.${own}`)
}

/** Second-level suffixes of countries (`example.co.uk`) and those of Workers. */
const registrySuffix =
  /(?:^|\.)(?:(?:ac|co|com|edu|gob|gouv|gov|go|ltd|mil|me|ne|net|nom|or|org|plc|sch)\.[a-z]{2}|(?:workers|pages)\.dev)$/

/** Our own registrable domain, by shape; under an unknown suffix it is too wide, which refuses more and allows none. */
function registrableDomain(host: string): string {
  if (ipaddr.isValid(host)) return host
  return host
    .split('.')
    .slice(registrySuffix.test(host) ? -3 : -2)
    .join('.')
}
