import { describe, expect, it } from 'vitest'
import { riskLevels } from '../../identity/model/risk.ts'
import { assess, type Signals, type Thresholds } from './assess.ts'
import { isFalseUserAgent } from './false-user-agent.ts'
import { addNetwork, type Network, noveltyOf, readNetworks, speedSince } from './networks.ts'

const usual: Signals = {
  device: 'known',
  place: 'known',
  travelSpeed: null,
  daysUnused: 3,
  afterReset: false,
  commonPassword: false,
  falseUserAgent: false,
  attackedNetwork: false,
  sprayedPassword: false,
  raisedLevel: false,
  organizationRule: false,
  product: [],
}
const thresholds: Thresholds = { level: 'challenge', challengeFrom: 3, refuseFrom: 6 }
const assessed = (signals: Partial<Signals>, changed: Partial<Thresholds> = {}) => {
  const { level, reasons } = assess({ ...usual, ...signals }, { ...thresholds, ...changed })
  return `${level}: ${reasons.join(' ')}`
}

describe('the decision', () => {
  it.each<[string, Partial<Signals>, string]>([
    ['a usual sign-in', {}, 'nothing: '],
    ['a new device at home', { device: 'new' }, 'notice: new-device'],
    ['a known laptop in a café', { place: 'new-network' }, 'nothing: new-network'],
    ['a known laptop abroad', { place: 'new-country', travelSpeed: 800 }, 'nothing: new-country'],
    ['a known phone in another region', { place: 'new-region', travelSpeed: 90 }, 'nothing: new-region'],
    [
      'a known laptop at a VPN for the first time',
      { place: 'new-country', travelSpeed: 9000 },
      'challenge: new-country impossible-travel',
    ],
    ['a known laptop at its usual VPN', { travelSpeed: 9000 }, 'nothing: '],
    ['an unknown device and network', { device: 'new', place: 'new-network' }, 'challenge: new-device new-network'],
    [
      'an unknown device in a near city, same provider',
      { device: 'new', place: 'new-region' },
      'challenge: new-device new-region',
    ],
    [
      'the first use of an imported account',
      { device: 'new', place: 'unused', daysUnused: null },
      'challenge: new-device new-account-use',
    ],
    [
      'the first use of an account in its own browser',
      { place: 'unused', daysUnused: null },
      'nothing: new-account-use',
    ],
    ['a browser from before the reset', { device: 'renewed', afterReset: true }, 'nothing: new-password'],
    [
      'the same in a new network',
      { device: 'renewed', afterReset: true, place: 'new-network' },
      'notice: new-network new-password',
    ],
    ['an unknown device after the reset', { device: 'new', afterReset: true }, 'challenge: new-device new-password'],
    ['180 days unused', { device: 'new', daysUnused: 180 }, 'notice: new-device'],
    ['more than 180 days unused', { device: 'new', daysUnused: 181 }, 'challenge: new-device long-unused'],
    ['a common password at home', { commonPassword: true }, 'nothing: common-password'],
    [
      'a common password on a new device',
      { device: 'new', commonPassword: true },
      'challenge: new-device common-password',
    ],
    [
      'a program with the name of a browser',
      { device: 'new', falseUserAgent: true },
      'challenge: new-device false-user-agent',
    ],
    ['a known browser in an attacked network', { attackedNetwork: true }, 'notice: attacked-network'],
    ['a new device in it', { device: 'new', attackedNetwork: true }, 'challenge: new-device attacked-network'],
    [
      'a new device with a sprayed password',
      { device: 'new', sprayedPassword: true },
      'challenge: new-device sprayed-password',
    ],
    [
      'everything',
      {
        device: 'new',
        place: 'new-country',
        travelSpeed: 5000,
        daysUnused: 400,
        afterReset: true,
        commonPassword: true,
        falseUserAgent: true,
      },
      'challenge: new-device new-country impossible-travel long-unused new-password common-password false-user-agent',
    ],
  ])('%s', (_, signals, expected) => {
    expect(assessed(signals)).toBe(expected)
  })

  it('is at most the configured level', () => {
    const unknown = { device: 'new', place: 'new-network' } as const
    expect(assessed(unknown, { level: 'nothing' })).toBe('nothing: new-device new-network')
    expect(assessed(unknown, { level: 'notice' })).toBe('notice: new-device new-network')
    expect(assessed(unknown, { level: 'refuse' })).toBe('challenge: new-device new-network')
    expect(assessed({ ...unknown, travelSpeed: 2000, falseUserAgent: true }, { level: 'refuse' })).toMatch(/^refuse: /)
  })

  it('level notice: a measured attack challenges, except in a browser of the owner', () => {
    const notice = { level: 'notice' } as const
    expect(assessed({ device: 'new', attackedNetwork: true }, notice)).toMatch(/^challenge: /)
    expect(assessed({ attackedNetwork: true, sprayedPassword: true }, notice)).toMatch(/^notice: /)
    expect(assessed({ device: 'new', attackedNetwork: true }, { level: 'nothing' })).toMatch(/^nothing: /)
  })

  it.each(['raisedLevel', 'organizationRule'] as const)(
    '%s: a challenge in each browser that is not known',
    (raised) => {
      expect(assessed({ [raised]: true, device: 'new' }, { level: 'notice' })).toMatch(/^challenge: /)
      expect(assessed({ [raised]: true, device: 'renewed' }, { level: 'nothing' })).toMatch(/^challenge: /)
      expect(assessed({ [raised]: true })).toBe('nothing: ')
    },
  )

  it('no single reason leads to a challenge', () => {
    const single: Partial<Signals>[] = [
      { device: 'new' },
      { place: 'new-country' },
      { place: 'unused' },
      { daysUnused: 10_000 },
      { afterReset: true },
      { commonPassword: true },
      { falseUserAgent: true },
    ]
    for (const signals of single) expect(assessed(signals)).toMatch(/^(nothing|notice): \S+$/)
  })

  it('further reasons never lower the level', () => {
    const rank = (signals: Partial<Signals>) =>
      riskLevels.indexOf(assess({ ...usual, ...signals }, { ...thresholds, level: 'refuse' }).level)
    const steps: Partial<Signals>[] = [
      { device: 'new' },
      { place: 'new-network' },
      { travelSpeed: 5000 },
      { daysUnused: 200 },
      { afterReset: true },
      { commonPassword: true },
      { falseUserAgent: true },
    ]
    for (let chosen = 0; chosen < 2 ** steps.length; chosen++) {
      const signals = Object.assign({}, ...steps.filter((_, at) => chosen & (2 ** at)))
      for (const [at, step] of steps.entries()) {
        if (chosen & (2 ** at)) continue
        expect(rank({ ...signals, ...step })).toBeGreaterThanOrEqual(rank(signals))
      }
    }
  })

  it('the product raises the level, also above the configured one, and never lowers it', () => {
    const bot = { level: 'challenge', reason: 'bot-score' } as const
    expect(assessed({ product: [bot] }, { level: 'notice' })).toBe('challenge: product:bot-score')
    const notice = { level: 'notice', reason: 'office' } as const
    expect(assessed({ device: 'new', place: 'new-network', product: [notice] })).toBe(
      'challenge: new-device new-network product:office',
    )
  })
})

describe('networks', () => {
  const berlin: Network = { name: 'AS3320', country: 'DE', region: 'BE', position: [53, 13] }
  const now = new Date('2026-01-01T00:00:00Z')
  const known = (...networks: Network[]) =>
    networks.reduce<string | null>((stored, network) => addNetwork(readNetworks(stored), network, 0, now), null)

  it.each<[string, Partial<Network>, string]>([
    ['the same', {}, 'known'],
    ['another region', { region: 'BY' }, 'new-region'],
    ['an unknown region', { region: null }, 'known'],
    ['another network', { name: 'AS3209' }, 'new-network'],
    ['an unknown network', { name: null }, 'new-network'],
    ['the network in another country', { country: 'FR' }, 'new-country'],
  ])('%s', (_, change, expected) => {
    expect(noveltyOf(readNetworks(known(berlin)), { ...berlin, ...change })).toBe(expected)
  })

  it('nothing is known of an account without a sign-in, nor of one from an unknown network', () => {
    expect(noveltyOf(null, berlin)).toBe('unused')
    const unknown = { name: null, country: null, region: null, position: null }
    expect(noveltyOf(readNetworks(known(unknown)), unknown)).toBe('unused')
  })

  it('a region is known of its network, and a network with three regions moves itself', () => {
    const phone = { ...berlin, name: 'AS6805', region: 'HH' }
    const stored = known(berlin, phone)
    expect(noveltyOf(readNetworks(stored), { ...berlin, region: 'HH' })).toBe('new-region')
    const gateways = known(berlin, phone, { ...phone, region: 'NI' }, { ...phone, region: 'HB' })
    expect(noveltyOf(readNetworks(gateways), { ...phone, region: 'SH' })).toBe('known')
    expect(noveltyOf(readNetworks(gateways), { ...berlin, region: 'SH' })).toBe('new-region')
  })

  it('the latest twelve remain, each once', () => {
    const many = Array.from({ length: 14 }, (_, at) => ({ ...berlin, name: `AS${at}` }))
    const stored = readNetworks(known(...many, many[5]!))!
    expect(stored.networks.map((entry) => entry.split('|')[0])).toEqual(
      [5, 13, 12, 11, 10, 9, 8, 7, 6, 4, 3, 2].map((at) => `AS${at}`),
    )
    expect(known(...many)!.length).toBeLessThan(330)
  })

  it('speed: Berlin to Tokyo in two hours, in a day, at once, and from nowhere', () => {
    const stored = readNetworks(known(berlin))
    const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
    expect(speedSince(stored, [36, 140], later(2))).toBeGreaterThan(4000)
    expect(speedSince(stored, [36, 140], later(24))).toBeLessThan(500)
    expect(speedSince(stored, [36, 140], now)).toBeGreaterThan(100_000)
    expect(speedSince(stored, [51, 12], now)).toBe(0)
    expect(speedSince(stored, null, later(2))).toBeNull()
    expect(speedSince(null, [36, 140], later(2))).toBeNull()
  })
})

describe('a false user agent', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0'
  const safari =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'
  const oldSafari = safari.replace('Version/18.1', 'Version/15.6')
  const chromeOnIos =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1'
  const hints = { 'sec-ch-ua': '"Chromium";v="131", "Not_A Brand";v="24", "Google Chrome";v="131"' }
  const fetched = { 'sec-fetch-site': 'same-origin' }

  it.each<[string, string, Record<string, string>, boolean]>([
    ['Chrome', chrome, { ...hints, ...fetched, 'sec-ch-ua-platform': '"Windows"' }, false],
    ['Chrome as another platform', chrome, { ...hints, ...fetched, 'sec-ch-ua-platform': '"Linux"' }, true],
    [
      'Chrome of another version',
      chrome,
      { 'sec-ch-ua': hints['sec-ch-ua'].replaceAll('131', '120'), ...fetched },
      true,
    ],
    ['Chrome without its headers', chrome, {}, true],
    ['Chrome behind a proxy that removes hints', chrome, fetched, false],
    ['the desktop site on Android', chrome, { ...hints, 'sec-ch-ua-platform': '"Android"' }, false],
    ['Firefox', firefox, fetched, false],
    ['Firefox with hints of Chromium', firefox, { ...hints, ...fetched }, true],
    ['Firefox without its headers', firefox, {}, true],
    ['Safari', safari, fetched, false],
    ['Safari with hints of Chromium', safari, hints, true],
    ['Safari without its headers', safari, {}, true],
    ['an old Safari, which sends none', oldSafari, {}, false],
    ['Chrome on iOS, which has the engine of Safari', chromeOnIos, fetched, false],
    ['a program that says so', 'okhttp/4.12.0', {}, false],
    ['no name', '', {}, false],
  ])('%s', (_, agent, headers, expected) => {
    expect(isFalseUserAgent(new Headers({ 'user-agent': agent, ...headers }), true)).toBe(expected)
  })

  it('an origin without TLS gets no hints', () => {
    expect(isFalseUserAgent(new Headers({ 'user-agent': chrome }), false)).toBe(false)
  })
})
