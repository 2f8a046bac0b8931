import {
  type RiskDecision,
  type RiskLevel,
  type RiskReason,
  type RiskSignal,
  riskLevels,
} from '../../identity/model/risk.ts'

/** What is known about a sign-in with a right password. */
export interface Signals {
  /** `renewed`: the user has signed in with this browser before the password or the version of the access changed. */
  device: 'known' | 'renewed' | 'new'
  /** The first part of the place that the account's earlier sign-ins do not have; `unused`: the account has not signed in. */
  place: 'known' | 'new-region' | 'new-network' | 'new-country' | 'unused'
  /** The speed (km/h) of a journey from the last sign-in to this one; null if a position is unknown. */
  travelSpeed: number | null
  /** Days since the last sign-in; null without one. */
  daysUnused: number | null
  /** The first sign-in after a reset or another change that ended all sessions. */
  afterReset: boolean
  /** The password is in the list of common passwords. */
  commonPassword: boolean
  /** The headers contradict the browser that the user agent names. */
  falseUserAgent: boolean
  /** Many passwords of the network were refused in the last minutes. */
  attackedNetwork: boolean
  /** The password was refused for many accounts in the last minutes. */
  sprayedPassword: boolean
  /** An administrator requires a code from every unknown device. */
  raisedLevel: boolean
  /** An organization of the user requires the same for its members. */
  organizationRule: boolean
  /** What the product adds. */
  product: readonly RiskSignal[]
}

export interface Thresholds {
  /** The highest level that points lead to. */
  level: RiskLevel
  challengeFrom: number
  refuseFrom: number
}

/** Points from which the owner should know. */
const noticeFrom = 2
/** Faster than an airliner, with a margin for the positions of networks. */
const maxSpeed = 1000
const longUnused = 180

const points: Readonly<Record<Exclude<RiskReason, `product:${string}`>, number>> = {
  'new-device': 2,
  'new-account-use': 1,
  'new-country': 1,
  'new-network': 1,
  'new-region': 1,
  'impossible-travel': 2,
  'long-unused': 1,
  'new-password': 1,
  'common-password': 1,
  'false-user-agent': 1,
  'attacked-network': 2,
  'sprayed-password': 2,
  'raised-level': 0,
  'organization-rule': 0,
}

const placeReasons = {
  'new-country': 'new-country',
  'new-network': 'new-network',
  'new-region': 'new-region',
  unused: 'new-account-use',
} as const

/**
 * Decides about a sign-in with a right password. Each reason has points; one reason alone, such as a new device, never
 * leads to a challenge. Pure: the same signals have the same result, and bench/risk.ts counts what it does to honest users.
 */
export function assess(signals: Signals, { level, challengeFrom, refuseFrom }: Thresholds): RiskDecision {
  const isNewPlace = signals.place !== 'known' && signals.place !== 'new-region'
  const isUnknown = signals.device !== 'known'
  const isRaised = (signals.raisedLevel || signals.organizationRule) && isUnknown
  const own: readonly (keyof typeof points | false)[] = [
    signals.device === 'new' && 'new-device',
    signals.place !== 'known' && placeReasons[signals.place],
    // A user who switches a VPN on and off is in two known networks.
    isNewPlace && (signals.travelSpeed ?? 0) > maxSpeed && 'impossible-travel',
    (signals.daysUnused ?? 0) > longUnused && 'long-unused',
    signals.afterReset && 'new-password',
    signals.commonPassword && 'common-password',
    signals.falseUserAgent && 'false-user-agent',
    signals.attackedNetwork && 'attacked-network',
    signals.sprayedPassword && 'sprayed-password',
    signals.raisedLevel && isUnknown && 'raised-level',
    signals.organizationRule && isUnknown && 'organization-rule',
  ]
  const reasons = own.filter((reason) => reason !== false)
  const sum = reasons.reduce((total, reason) => total + points[reason], 0)
  const reached: RiskLevel =
    sum >= refuseFrom ? 'refuse' : sum >= challengeFrom ? 'challenge' : sum >= noticeFrom ? 'notice' : 'nothing'
  const { product } = signals
  // A measured attack also challenges where unusual sign-ins get a notice only; never in a browser of the owner.
  const isAttack = (signals.attackedNetwork || signals.sprayedPassword) && isUnknown
  const max = level === 'notice' && isAttack ? 'challenge' : level
  return {
    level: highest([
      atMost(reached, max),
      ...(isRaised ? (['challenge'] as const) : []),
      ...product.map((signal) => signal.level),
    ]),
    reasons: [...reasons, ...product.map(({ reason }) => `product:${reason}` as const)],
  }
}

const rank = (level: RiskLevel): number => riskLevels.indexOf(level)

const highest = (levels: readonly RiskLevel[]): RiskLevel => levels.reduce((a, b) => (rank(a) < rank(b) ? b : a))

export const atMost = (level: RiskLevel, max: RiskLevel): RiskLevel => (rank(level) < rank(max) ? level : max)
