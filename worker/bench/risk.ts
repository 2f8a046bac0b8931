import { parseArgs } from 'node:util'
import { assess, type Signals } from '../features/risk/assess.ts'
import {
  addNetwork,
  type Network,
  noveltyOf,
  type RecentNetworks,
  readNetworks,
  speedSince,
} from '../features/risk/networks.ts'

/**
 * Simulates honest users over 90 days and attackers with right passwords, and prints how many sign-ins the assessment
 * challenges: `node worker/bench/risk.ts --people 100000`. The same seed prints the same numbers.
 */
const { values } = parseArgs({
  options: { people: { type: 'string', default: '20000' }, seed: { type: 'string', default: '39' } },
})
const people = Number(values.people)
const days = 90
/** Days after the sign-up in which a user signs in with the other devices for the first time. They are counted separately. */
const settled = 90
const day = 86_400_000
/** The simulated time of the first sign-ups. */
const start = Date.UTC(2026, 0, 1)

/** Mulberry32: enough for a simulation, and the same in each runtime. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const random = randomFrom(Number(values.seed))
const chance = (probability: number): boolean => random() < probability
const below = (max: number): number => Math.floor(random() * max)
const between = (min: number, max: number): number => min + random() * (max - min)
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!
/** The waiting time until the next of events with this mean distance. */
const wait = (mean: number): number => -Math.log(1 - random()) * mean

/** Forty countries, each with eight regions around a centre, six providers for homes and three for phones. */
const countries = Array.from({ length: 40 }, (_, at) => ({
  name: `C${at}`,
  latitude: -35 + ((at * 37) % 95),
  longitude: -120 + ((at * 71) % 290),
}))
type Country = (typeof countries)[number]
const regions = 8

function network(country: Country, region: number, name: string): Network {
  const position = [country.latitude + (region % 3) * 2, country.longitude + Math.floor(region / 3) * 2] as const
  return { name, country: country.name, region: `R${region}`, position }
}
const home = (country: Country, region: number, provider: number) =>
  network(country, region, `${country.name}-home${provider}`)
/** A gateway of the provider: in one of four sign-ins in another region. */
const mobile = (country: Country, region: number, provider: number) =>
  network(country, chance(0.25) ? below(regions) : region, `${country.name}-mobile${provider}`)
const hosting = (country: Country) => network(country, 0, `hosting${below(200)}`)
const anyHome = (country: Country) => home(country, below(regions), below(6))
const neighbour = (region: number) => (region + 1 + below(regions - 1)) % regions

interface Device {
  kind: 'laptop' | 'phone' | 'office'
  /** Keeps no cookie: a native app, a private window, a browser that deletes them. */
  forgets: boolean
  /** The security version at the last sign-in in it; null before the first one. */
  version: number | null
  /** Days between sign-ins. */
  every: number
}

interface Person {
  country: Country
  region: number
  provider: number
  phone: number
  office: Network
  vpn: readonly Network[]
  devices: Device[]
  commonPassword: boolean
  falseUserAgent: boolean
  stored: string | null
  version: number
  trips: { from: number; until: number; country: Country; region: number }[]
}

const newDevice = (kind: Device['kind']): Device => ({
  kind,
  forgets: chance(kind === 'phone' ? 0.12 : 0.05),
  version: null,
  every: between(3, 20),
})

function newPerson(): Person {
  const country = oneOf(countries)
  const region = below(regions)
  const devices = [newDevice('phone')]
  if (chance(0.8)) devices.push(newDevice('laptop'))
  if (chance(0.5)) devices.push(newDevice('office'))
  // One in eight uses a VPN: most always the same exit, some a few, some change.
  const exits = chance(0.6) ? 1 : chance(0.7) ? 3 : 12
  const vpn = chance(0.12) ? Array.from({ length: exits }, () => network(oneOf(countries), 0, `vpn${below(5)}`)) : []
  const trips: Person['trips'] = []
  for (let at = wait(120); at < settled + days; at += wait(120)) {
    const isAbroad = chance(0.4)
    const until = at + between(2, 10)
    trips.push({ from: at, until, country: isAbroad ? oneOf(countries) : country, region: below(regions) })
  }
  return {
    ...{ country, region, provider: below(6), phone: below(3), devices, vpn, trips },
    // Offices share a few networks of their region.
    office: network(country, chance(0.8) ? region : neighbour(region), `${country.name}-office${below(20)}`),
    commonPassword: chance(0.02),
    falseUserAgent: chance(0.003),
    stored: null,
    version: 0,
  }
}

/** Where a device is at a time, in days since the start. */
function networkAt(person: Person, device: Device, at: number): Network {
  const { country, region, provider, phone, office, vpn } = person
  const trip = person.trips.find(({ from, until }) => from <= at && at < until)
  if (trip) {
    // A roaming phone appears in the network and country of its provider.
    if (device.kind === 'phone' && chance(0.6)) return mobile(country, region, phone)
    return home(trip.country, trip.region, below(6))
  }
  if (device.kind === 'office') return chance(0.7) ? office : home(country, region, provider)
  if (vpn.length > 0 && device.kind === 'laptop' && chance(0.7)) return oneOf(vpn)
  if (device.kind === 'phone' && chance(0.5)) return mobile(country, region, phone)
  // Cafés, friends, trains.
  return chance(0.05) ? home(country, region, below(6)) : home(country, region, provider)
}

type From = Pick<Signals, 'device' | 'falseUserAgent'> & { commonPassword?: boolean }

/** What the counters of refused passwords say about a sign-in (features/risk/attacks.ts). */
type Attacked = Pick<Signals, 'attackedNetwork' | 'sprayedPassword'>
const noAttack: Attacked = { attackedNetwork: false, sprayedPassword: false }

function signalsOf(person: Person, to: Network, at: number, from: From, attacked = noAttack): Signals {
  const before: RecentNetworks | null = readNetworks(person.stored)
  const now = new Date(start + at * day)
  return {
    device: from.device,
    place: noveltyOf(before, to),
    travelSpeed: speedSince(before, to.position, now),
    daysUnused: before && (now.getTime() - before.at) / day,
    afterReset: before !== null && before.version !== person.version,
    commonPassword: from.commonPassword ?? person.commonPassword,
    falseUserAgent: from.falseUserAgent,
    ...attacked,
    raisedLevel: false,
    organizationRule: false,
    product: [],
  }
}

const thresholds = [2, 3, 4] as const
type Counts = Record<(typeof thresholds)[number], number>
const noCounts = (): Counts => ({ 2: 0, 3: 0, 4: 0 })

interface Tally {
  all: number
  challenged: Counts
  /** By their reasons, from three points. */
  reasons: Map<string, number>
}
const newTally = (): Tally => ({ all: 0, challenged: noCounts(), reasons: new Map() })

function judge(tally: Tally, signals: Signals): void {
  tally.all += 1
  for (const challengeFrom of thresholds) {
    const { level, reasons } = assess(signals, { level: 'challenge', challengeFrom, refuseFrom: 99 })
    if (level !== 'challenge') continue
    tally.challenged[challengeFrom] += 1
    if (challengeFrom !== 3) continue
    const names = reasons.join(' ')
    tally.reasons.set(names, (tally.reasons.get(names) ?? 0) + 1)
  }
}

/** Refused passwords of honest users, by network and ten minutes. */
const mistyped = new Map<string, number>()
function noteMistyped({ name, country, region }: Network, at: number): void {
  if (at < settled) return
  const key = `${name}|${country}|${region}|${Math.floor(at * 144)}`
  mistyped.set(key, (mistyped.get(key) ?? 0) + 1)
}

/** Ninety days of a user. Each challenge is passed, and makes device and network known. */
function live(person: Person): void {
  // The sign-up, at home.
  person.stored = addNetwork(null, home(person.country, person.region, person.provider), 0, new Date(start))
  const first = person.devices.at(-1)!
  if (!first.forgets) first.version = 0
  const moments = person.devices
    .flatMap((device) => {
      const times: { at: number; device: Device }[] = []
      for (let at = wait(device.every); at < settled + days; at += wait(device.every)) times.push({ at, device })
      return times
    })
    .sort((a, b) => a.at - b.at)
  const replaced = new Map<Device, Device>()
  for (const { at, device: planned } of moments) {
    // A device lives for about two and a half years, a password for three; one in 25 users moves in these 90 days.
    if (chance(planned.every / (2.5 * 365))) replaced.set(planned, { ...newDevice(planned.kind), every: planned.every })
    if (chance(planned.every / (3 * 365 * 2))) person.version += 1
    if (chance((planned.every / days) * 0.04)) Object.assign(person, { region: below(regions), provider: below(6) })
    const device = replaced.get(planned) ?? planned
    const to = networkAt(person, device, at)
    // One in ten users mistypes the password. Each provider's region is one network here, which is the worst case.
    if (chance(0.1)) noteMistyped(to, at)
    const isKnown = device.version !== null && !device.forgets
    const known = device.version === person.version ? 'known' : 'renewed'
    judge(
      at < settled ? fresh : device.forgets ? withoutCookies : withCookies,
      signalsOf(person, to, at, { device: isKnown ? known : 'new', falseUserAgent: person.falseUserAgent }),
    )
    device.version = person.version
    person.stored = addNetwork(readNetworks(person.stored), to, person.version, new Date(start + at * day))
  }
}

const fresh = newTally()
const withCookies = newTally()
const withoutCookies = newTally()
const population = Array.from({ length: people }, newPerson)
for (const person of population) live(person)

/** Each attack has the right password of its victims, some hours after their last sign-in. */
const attacks: Record<string, (person: Person) => [Network, From]> = {
  'stuffing from 5,000 addresses of hosting providers': () => [
    hosting(oneOf(countries)),
    { device: 'new', falseUserAgent: chance(0.6) },
  ],
  'stuffing from homes all over the world': () => [
    anyHome(oneOf(countries)),
    { device: 'new', falseUserAgent: chance(0.3) },
  ],
  "stuffing from homes in the victim's country": ({ country }) => [
    anyHome(country),
    { device: 'new', falseUserAgent: chance(0.3) },
  ],
  'spraying common passwords': () => [
    anyHome(oneOf(countries)),
    { device: 'new', falseUserAgent: chance(0.5), commonPassword: true },
  ],
  'a stolen password, from another country with a real browser': ({ country }) => [
    anyHome(oneOf(countries.filter((other) => other !== country))),
    { device: 'new', falseUserAgent: false },
  ],
  'a stolen password, from a near city with the same provider': ({ country, region, provider }) => [
    home(country, neighbour(region), provider),
    { device: 'new', falseUserAgent: false },
  ],
  'a password reset by a taken phone number, same city and provider': (person) => {
    person.version += 1
    return [home(person.country, person.region, person.provider), { device: 'new', falseUserAgent: false }]
  },
  'an imported account that was never used': (person) => {
    person.stored = null
    return [anyHome(person.country), { device: 'new', falseUserAgent: false }]
  },
  'a stolen password, same city and provider': ({ country, region, provider }) => [
    home(country, region, provider),
    { device: 'new', falseUserAgent: false },
  ],
  'a copied known-device cookie, from another country': ({ country }) => [
    hosting(oneOf(countries.filter((other) => other !== country))),
    { device: 'known', falseUserAgent: false },
  ],
}

const sumOf = (a: Tally, b: Tally): Tally => ({
  all: a.all + b.all,
  challenged: {
    2: a.challenged[2] + b.challenged[2],
    3: a.challenged[3] + b.challenged[3],
    4: a.challenged[4] + b.challenged[4],
  },
  reasons: new Map(
    [...a.reasons, ...b.reasons].map(([names]) => [names, (a.reasons.get(names) ?? 0) + (b.reasons.get(names) ?? 0)]),
  ),
})

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`
const row = (name: string, { all, challenged }: Tally): void =>
  console.log(`| ${name} | ${all} | ${thresholds.map((points) => percent(challenged[points], all)).join(' | ')} |`)

console.log(`${people} users, ${days} days, seed ${values.seed}\n`)
console.log(
  `| sign-ins with a right password | number | ${thresholds.map((points) => `from ${points} points`).join(' | ')} |`,
)
console.log('|---|---|---|---|---|')
const honest = sumOf(withCookies, withoutCookies)
row('honest', honest)
row('of these, browsers that keep cookies', withCookies)
row('of these, apps and private windows without cookies', withoutCookies)
row('honest, the first 90 days of new accounts', fresh)
for (const [name, attack] of Object.entries(attacks)) {
  const tally = newTally()
  for (const person of population) {
    const victim = { ...person }
    const [from, signals] = attack(victim)
    judge(tally, signalsOf(victim, from, settled + days + between(0.1, 3), signals))
  }
  row(name, tally)
}
console.log('\nreasons of honest challenges from 3 points:')
for (const [names, count] of [...honest.reasons].sort((a, b) => b[1] - a[1]).slice(0, 8))
  console.log(`  ${percent(count, honest.all)}  ${names}`)

/** A counter of attacks.ts: an attack from `max` refusals in a window (minutes) until 15 minutes after its end. */
class RefusalCounter {
  private readonly windows = new Map<string, { from: number; count: number; until: number }>()
  private readonly max: number
  private readonly window: number
  constructor(max: number, window: number) {
    this.max = max
    this.window = window
  }
  isAttacked(key: string, at: number): boolean {
    return (this.windows.get(key)?.until ?? 0) > at
  }
  refuse(key: string, at: number): void {
    const known = this.windows.get(key)
    const open = known && at < known.from + this.window ? known : { from: at, count: 0, until: known?.until ?? 0 }
    open.count += 1
    if (open.count > this.max) open.until = open.from + this.window + 15
    this.windows.set(key, open)
  }
}

/** Attacks with their wrong passwords: one in a hundred is right. */
interface TimedAttack {
  name: string
  /** Networks (/24) of its addresses. */
  networks: number
  /** Passwords that it tries for all accounts; 0: another one for each account. */
  passwords: number
  of(person: Person): [Network, From]
}
const timed: readonly TimedAttack[] = [
  {
    name: 'stuffing from 5,000 addresses of hosting providers, in 40 networks',
    ...{ networks: 40, passwords: 0 },
    of: attacks['stuffing from 5,000 addresses of hosting providers']!,
  },
  {
    name: "stuffing from 5,000 homes in the victim's country, each in a network of its own",
    ...{ networks: 5000, passwords: 0 },
    of: attacks["stuffing from homes in the victim's country"]!,
  },
  {
    name: "the same from 200 homes in the victim's country",
    ...{ networks: 200, passwords: 0 },
    of: attacks["stuffing from homes in the victim's country"]!,
  },
  {
    name: "spraying 20 passwords from 5,000 homes in the victim's city, with the victim's provider",
    ...{ networks: 5000, passwords: 20 },
    of: ({ country, region, provider }) => [home(country, region, provider), { device: 'new', falseUserAgent: false }],
  },
]
const attempts = 300_000
/** `risk.networkFailures.max` in ten minutes, `risk.passwordFailures.max` in an hour; the default first. */
const rules = [
  { network: Number.POSITIVE_INFINITY, password: Number.POSITIVE_INFINITY },
  { network: 50, password: 20 },
  { network: 20, password: 10 },
  { network: 10, password: 5 },
] as const

const largest = [...mistyped.values()].reduce((max, count) => Math.max(max, count), 0)
console.log(`\nhonest refusals of one network in ten minutes, at most: ${largest}\n`)
console.log(
  '| right passwords that were stopped, of 300,000 attempts | a minute | no counters | 50, 20 | 20, 10 | 10, 5 |',
)
console.log('|---|---|---|---|---|---|')
for (const { name, networks, passwords, of } of timed) {
  for (const rate of [1000, 100]) {
    const shares = rules.map((rule) => {
      const byNetwork = new RefusalCounter(rule.network, 10)
      const byPassword = new RefusalCounter(rule.password, 60)
      const tally = newTally()
      for (let n = 0; n < attempts; n++) {
        const at = n / rate
        const network = String(below(networks))
        const password = passwords === 0 ? null : String(below(passwords))
        if (!chance(0.01)) {
          byNetwork.refuse(network, at)
          if (password !== null) byPassword.refuse(password, at)
          continue
        }
        const victim = { ...oneOf(population) }
        const [to, from] = of(victim)
        const attacked = {
          attackedNetwork: byNetwork.isAttacked(network, at),
          sprayedPassword: password !== null && byPassword.isAttacked(password, at),
        }
        judge(tally, signalsOf(victim, to, settled + days + between(0.1, 3), from, attacked))
      }
      return percent(tally.challenged[3], tally.all)
    })
    console.log(`| ${name} | ${rate} | ${shares.join(' | ')} |`)
  }
}
