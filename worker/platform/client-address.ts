import ipaddr from 'ipaddr.js'

const { isValid, parse, parseCIDR } = ipaddr

type IPv6 = ipaddr.IPv6
type Address = ipaddr.IPv4 | IPv6

function read(text: string | undefined | null): Address | null {
  const trimmed = text?.trim()
  if (!trimmed || !isValid(trimmed)) return null
  const address = parse(trimmed)
  return address.kind() === 'ipv6' && (address as IPv6).isIPv4MappedAddress()
    ? (address as IPv6).toIPv4Address()
    : address
}

/** The addresses of most requests, in a form that needs no parsing. */
const plainIPv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

const isIn = (address: Address, range: string): boolean => {
  const [base, bits] = range.includes('/')
    ? parseCIDR(range)
    : [parse(range), parse(range).kind() === 'ipv4' ? 32 : 128]
  return base.kind() === address.kind() && address.match(base as never, bits)
}

/**
 * The caller's address: CF-Connecting-IP, or behind `trustedProxies` (addresses, CIDR) the last one of X-Forwarded-For
 * that is not a proxy, because the caller can choose those before it. Null if missing or invalid.
 */
export function clientAddress(headers: Headers, trustedProxies: readonly string[]): string | null {
  const connecting = headers.get('cf-connecting-ip')
  if (connecting !== null && trustedProxies.length === 0 && plainIPv4.test(connecting)) return connecting
  const peer = read(connecting)
  if (!peer) return null
  const isProxy = (address: Address) => trustedProxies.some((range) => isIn(address, range))
  if (!isProxy(peer)) return peer.toString()
  for (const hop of (headers.get('x-forwarded-for') ?? '').split(',').reverse()) {
    const address = read(hop)
    if (!address) return null
    if (!isProxy(address)) return address.toString()
  }
  return peer.toString()
}

/** The key of limits: an IPv4 address, an IPv6 /64, or one bucket for all unknown addresses. */
export function addressBucket(address: string | null): string {
  if (address === null) return 'unknown'
  if (!address.includes(':')) return address
  return `${(parse(address) as IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
