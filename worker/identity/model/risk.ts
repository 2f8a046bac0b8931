/** What an assessment of a sign-in leads to, in increasing order. */
export const riskLevels = ['nothing', 'notice', 'challenge', 'refuse'] as const

export type RiskLevel = (typeof riskLevels)[number]

/** Why a sign-in is unusual. The product's own reasons begin with `product:`. */
export type RiskReason =
  | 'new-device'
  | 'new-account-use'
  | 'new-country'
  | 'new-network'
  | 'new-region'
  | 'impossible-travel'
  | 'long-unused'
  | 'new-password'
  | 'common-password'
  | 'false-user-agent'
  | 'attacked-network'
  | 'sprayed-password'
  | 'raised-level'
  | 'organization-rule'
  | `product:${string}`

/** The decision about a sign-in, as its event, audit record and webhook have it. */
export interface RiskDecision {
  level: RiskLevel
  reasons: readonly RiskReason[]
}

/** A reason that the product adds: at least this level. */
export interface RiskSignal {
  level: RiskLevel
  /** Lower case, digits and dashes. */
  reason: string
}

const aboutPassword: readonly RiskReason[] = ['common-password', 'sprayed-password']

/** The reasons that others may read. Readers of a log who know that a password is common could guess it. */
export const shownReasons = ({ reasons }: RiskDecision): string[] =>
  reasons.filter((reason) => !aboutPassword.includes(reason))

/** The facts of a decision for a security event; none for a usual sign-in. */
export const riskDetails = (risk: RiskDecision | undefined): { risk: string; reasons: string } | undefined =>
  risk && risk.level !== 'nothing' ? { risk: risk.level, reasons: shownReasons(risk).join(' ') } : undefined
