import type { User } from '../../../../identity/model/users.table.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import type { Client } from '../clients/client.ts'
import { scopesOfClaims } from '../protocol/requested-claims.ts'
import { subjectOf } from './subjects.ts'

/** The claims of a user, without unknown ones (OpenID Connect Core, section 5.4). */
export interface Claims {
  sub: string
  name?: string
  given_name?: string
  family_name?: string
  picture?: string
  preferred_username?: string
  /** Seconds. */
  updated_at?: number
  email?: string
  email_verified?: boolean
  /** Claims of features, by `identityProvider.claimScopes`. */
  [claim: string]: unknown
}

/** The first word of a name, and the rest. */
function partsOf(name: string): Pick<Claims, 'given_name' | 'family_name'> {
  const [given, ...rest] = name.trim().split(/\s+/)
  return { ...(given ? { given_name: given } : {}), ...(rest.length > 0 ? { family_name: rest.join(' ') } : {}) }
}

const profile = (user: User): Partial<Claims> => ({
  ...(user.name ? { name: user.name } : {}),
  ...partsOf(user.name),
  ...(user.image ? { picture: user.image } : {}),
  ...(user.username ? { preferred_username: user.displayUsername ?? user.username } : {}),
  updated_at: Math.floor(user.updatedAt.getTime() / 1000),
})

/** @param single claims that the request names one by one, in addition to those of the scopes */
export async function claimsOf(
  scope: Scope,
  user: User,
  client: Client | null,
  scopes: readonly string[],
  single: readonly string[] = [],
): Promise<Claims> {
  const sub = await subjectOf(scope, user.id, client)
  const named = single.length > 0 ? await claimsOfScopes(scope, user, scopesOfClaims(single)) : {}
  const chosen = Object.entries(named).filter(([name]) => single.includes(name))
  return { ...Object.fromEntries(chosen), ...(await claimsOfScopes(scope, user, scopes)), sub }
}

/** The claims that scopes permit. */
export const claimsOfScopes = async (scope: Scope, user: User, scopes: readonly string[]): Promise<object> => ({
  ...(scopes.includes('profile') ? profile(user) : {}),
  ...(scopes.includes('email') ? { email: user.email, email_verified: user.emailVerified } : {}),
  ...(await claimsOfFeatures(scope, user, scopes)),
})

/** Claims for scopes that the configuration still permits: a grant may be older than it. */
async function claimsOfFeatures(scope: Scope, user: User, scopes: readonly string[]): Promise<object> {
  const asked = identityProviderOptions.of(scope).claimScopes.filter((one) => scopes.includes(one))
  if (asked.length === 0) return {}
  const offered = scope.lifecycle.registry('oauth').flatMap(({ claims }) => claims ?? [])
  const found = await Promise.all(asked.flatMap((one) => offered.map((claims) => claims[one]?.(scope, user))))
  return Object.assign({}, ...found)
}
