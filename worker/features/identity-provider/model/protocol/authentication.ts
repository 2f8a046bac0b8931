import type { Session } from '../../../../identity/model/sessions.table.ts'
import type { User } from '../../../../identity/model/users.table.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { amrOfMethod } from '../../../../identity/sessions/amr.ts'
import { ms } from '../../../../kit/time.ts'
import { challenged } from '../../identity-provider.errors.ts'
import { words } from './parameters.ts'

/** How and when a user authenticated. */
export interface Authenticated {
  amr: readonly string[]
  /** Unix ms. */
  authTime: number
  isGuest: boolean
}

/** What a client or a resource server requires of an authentication (OpenID Connect Core, section 3.1.2.1; RFC 9470). */
export interface RequiredAuthentication {
  /** Classes joined by spaces; the authentication has to reach one of them. */
  acrValues: string | undefined
  /** Seconds. */
  maxAge: number | undefined
}

/** The authentication methods of a session by its proof (RFC 8176, section 2). */
const methodsByProof: Record<string, string[]> = {
  password: ['pwd'],
  possession: ['otp'],
  'both-factors': ['mfa', 'hwk', 'user'],
  'second-factor': ['mfa', 'otp'],
}

/**
 * `amr`: the stored methods; for a session without any, those that follow from its proof, or from the method that created
 * the account.
 */
const methodsOf = ({ amr, proven, method }: Session): string[] => {
  if (amr.length > 0) return amr
  if (proven === 'creation') return method === null ? [] : [...amrOfMethod(method)]
  return methodsByProof[proven ?? ''] ?? []
}

/** The last authentication of a session: its sign-in, or a later step-up. */
export const authenticationOf = (session: Session, user: User): Authenticated & { amr: string[] } => ({
  amr: methodsOf(session),
  authTime: session.authenticatedAt.getTime(),
  isGuest: user.isAnonymous,
})

const [bronze, silver, multiFactor] = [
  'urn:mace:incommon:iap:bronze',
  'urn:mace:incommon:iap:silver',
  'https://refeds.org/profile/mfa',
] as const

/** From the weakest to the strongest; a stronger class satisfies a request for a weaker one. */
const byStrength: readonly string[] = [bronze, silver, multiFactor]

/** The authentication context classes that requests may name (OpenID Connect Discovery, section 3). */
export const authenticationClasses = [silver, bronze, multiFactor] as const

/** `acr`: a guest account, a sign-in, or a sign-in with two factors (`mfa` of RFC 8176, section 2). */
export function acrOf({ amr, isGuest }: Pick<Authenticated, 'amr' | 'isGuest'>): string {
  if (isGuest) return bronze
  return amr.includes('mfa') ? multiFactor : silver
}

/** Whether an authentication reaches a requested class (RFC 9470, section 5). Unknown classes are ignored. */
export function reachesClass(authenticated: Authenticated, acrValues: string | undefined): boolean {
  const wanted = words(acrValues)
    .map((value) => byStrength.indexOf(value))
    .filter((strength) => strength >= 0)
  return wanted.length === 0 || byStrength.indexOf(acrOf(authenticated)) >= Math.min(...wanted)
}

/** @param maxAge seconds; undefined: any age */
export const isRecent = ({ authTime }: Authenticated, maxAge: number | undefined, now: Date): boolean =>
  maxAge === undefined || now.getTime() - authTime <= ms(maxAge)

/** The step-up challenge of a resource (RFC 9470, section 3). @throws insufficient_user_authentication */
export function requireAuthentication(
  scope: Scope,
  { token, user }: { token: { amr: string[]; authTime: Date }; user: User },
  { acrValues, maxAge }: RequiredAuthentication,
): void {
  const authenticated = { amr: token.amr, authTime: token.authTime.getTime(), isGuest: user.isAnonymous }
  if (reachesClass(authenticated, acrValues) && isRecent(authenticated, maxAge, scope.now())) return
  const classes = words(acrValues).filter((value) => authenticationClasses.some((known) => known === value))
  throw challenged('insufficient_user_authentication', 'a stronger or more recent authentication is required', {
    acr_values: classes.join(' ') || undefined,
    max_age: maxAge?.toString(),
  })
}
