/** Where an account has signed in. The user's row stores it, so that a sign-in reads it with the user. */

/** Degrees, rounded to whole ones: about 100 km. */
type Position = readonly [latitude: number, longitude: number]

/** The network of a request. */
export interface Network {
  /** The autonomous system; without one, a prefix of the address; null if both are unknown. */
  name: string | null
  country: string | null
  /** ISO 3166-2. */
  region: string | null
  position: Position | null
}

/** What the row stores: `["AS3320|DE|BE", ...]`, the latest first. */
export interface RecentNetworks {
  /** The last sign-in, in milliseconds since 1970. */
  at: number
  position: Position | null
  /** The security version at the last sign-in. */
  version: number
  networks: readonly string[]
}

/** A user at home, at work, with a phone, a VPN and on journeys has about this many (bench/risk.ts). */
const maxNetworks = 12

const entryOf = ({ name, country, region }: Network): string => [name, country ?? '', region ?? ''].join('|')

export function readNetworks(stored: string | null): RecentNetworks | null {
  return stored === null ? null : (JSON.parse(stored) as RecentNetworks)
}

/** The stored value after a sign-in. */
export function addNetwork(before: RecentNetworks | null, network: Network, version: number, now: Date): string {
  const entry = network.name === null ? [] : [entryOf(network)]
  const networks = [...new Set([...entry, ...(before?.networks ?? [])])].slice(0, maxNetworks)
  const next: RecentNetworks = { at: now.getTime(), position: network.position, version, networks }
  return JSON.stringify(next)
}

/** The first part of a place that no earlier sign-in has. An unknown network is a new one. */
export function noveltyOf(
  before: RecentNetworks | null,
  network: Network,
): 'known' | 'new-region' | 'new-network' | 'new-country' | 'unused' {
  if (!before || before.networks.length === 0) return 'unused'
  const known = before.networks.map((entry) => entry.split('|'))
  const { name, country, region } = network
  if (country !== null && !known.some((entry) => entry[1] === country)) return 'new-country'
  const same = known.filter((entry) => entry[0] === name && entry[1] === (country ?? ''))
  if (same.length === 0) return 'new-network'
  const isNew = region !== null && same.length < movingFrom && !same.some((entry) => entry[2] === region)
  return isNew ? 'new-region' : 'known'
}

/** A network in which an account has so many regions moves itself: the gateways of phones do. Its regions say nothing. */
const movingFrom = 3

const earthRadius = 6371
/** Positions of networks are this far (km) from their users, and rounded. */
const tolerance = 300

/** The speed (km/h) of a journey between two sign-ins; null if a position is unknown. */
export function speedSince(before: RecentNetworks | null, to: Position | null, now: Date): number | null {
  const from = before?.position
  if (!from || !to) return null
  const distance = Math.max(0, distanceBetween(from, to) - tolerance)
  const hours = Math.max(1 / 60, (now.getTime() - before.at) / 3_600_000)
  return distance / hours
}

function distanceBetween([latA, lonA]: Position, [latB, lonB]: Position): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const haversine = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const part = haversine(latB - latA) + Math.cos(radians(latA)) * Math.cos(radians(latB)) * haversine(lonB - lonA)
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(part)))
}
