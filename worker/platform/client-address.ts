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

/** Whether a text is an address or a range: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  const [base = '', bits, ...rest] = text.split('/')
  if (!read(base) || base !== base.trim() || rest.length > 0) return false
  // The parser accepts addresses such as `127.1`, which readers take for another one.
  if (!base.includes(':') && !plainIPv4.test(base)) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (base.includes(':') ? 128 : 32))
}

/** Whether an address is one of the addresses or in one of the ranges. Never for an unknown address. */
export function isAddressIn(address: string | null, ranges: readonly string[]): boolean {
  const known = read(address)
  return known !== null && ranges.some((range) => isIn(known, range))
}

/** The network of an address, where nothing else is known about it: an IPv4 /24 or an IPv6 /48. Null if unknown. */
export function addressNetwork(address: string | null): string | null {
  const known = read(address)
  if (known === null) return null
  if (known.kind() === 'ipv4') return `${known.toString().split('.').slice(0, 3).join('.')}.0/24`
  return `${(known as IPv6).parts
    .slice(0, 3)
    .map((part) => part.toString(16))
    .join(':')}::/48`
}
