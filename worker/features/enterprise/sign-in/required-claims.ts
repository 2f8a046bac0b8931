import type { CallbackOutcome } from '../../social/model/callback-outcome.ts'
import type { Connection } from '../model/connections.table.ts'

/** The texts of a claim or an attribute. */
type ValuesOf = (name: string) => readonly string[]

/**
 * Issuers that authenticate users of any organization, or consumers. Without a claim that names the organization, a consumer account
 * with an address of its domain would enter.
 */
const sharedIssuers: readonly RegExp[] = [
  /^https:\/\/accounts\.google\.com$/,
  // The tenant of consumers. The issuers of `common` and `organizations` name no tenant, and discovery refuses them.
  /^https:\/\/login\.microsoftonline\.com\/9188040d-6c67-4c5b-b112-36a304b66dad\//,
  /^https:\/\/login\.live\.com$/,
  /^https:\/\/appleid\.apple\.com$/,
  /^https:\/\/(?:www\.)?(?:gitlab|slack|linkedin|facebook|paypal)\.com(?:\/|$)/,
  /^https:\/\/login\.salesforce\.com$/,
  /^https:\/\/api\.login\.yahoo\.com$/,
  /^https:\/\/id\.twitch\.tv\//,
  /^https:\/\/access\.line\.me$/,
  /^https:\/\/kauth\.kakao\.com$/,
]

const google = 'https://accounts.google.com'

export interface Acceptance {
  /** Whether the identity provider asserts all required claims. */
  isAccepted: boolean
  /** A domain that the organization must have verified: that of a Google Workspace customer. */
  tenantDomain: string | null
}

/** Judges the claims of a user by the required ones of the connection, and by the claim that a shared issuer needs. */
export function judgeClaims({ config, mapping }: Connection, valuesOf: ValuesOf): Acceptance {
  const required = mapping.required ?? []
  const meets = required.every(({ name, values }) => valuesOf(name).some((value) => values.includes(value)))
  const issuer = config.type === 'oidc' ? config.issuer.replace(/\/$/, '') : ''
  if (!meets) return { isAccepted: false, tenantDomain: null }
  if (issuer === google && !required.some(({ name }) => name === 'hd')) {
    const [domain = null] = valuesOf('hd')
    return { isAccepted: domain !== null, tenantDomain: domain?.toLowerCase() ?? null }
  }
  const isShared = sharedIssuers.some((one) => one.test(issuer) || one.test(`${issuer}/`))
  return { isAccepted: !isShared || required.length > 0, tenantDomain: null }
}

/** The outcome of a test sign-in. The domain of a tenant may be verified later. */
export function outcomeOfTest(
  { email, acceptance }: { email: string | null; acceptance: Acceptance },
  callbackURL: string,
): CallbackOutcome {
  if (!acceptance.isAccepted) return { error: 'sso_claims_not_allowed' }
  return email === null ? { error: 'sso_no_address' } : { to: callbackURL }
}
