import { createHmac } from 'node:crypto'
import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import type { Client } from '../clients/client.ts'

/** What a client may know of a person, by scope (OpenID Connect Core, section 5.4). What is unknown is left out. */
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

/** The claims that go with these scopes. */
export const claimsOf = (scope: Scope, user: User, client: Client | null, scopes: readonly string[]): Claims => ({
  sub: subjectOf(scope, user.id, client),
  ...(scopes.includes('profile') ? profile(user) : {}),
  ...(scopes.includes('email') ? { email: user.email, email_verified: user.emailVerified } : {}),
})

/**
 * The person's name towards a client. Clients that asked for pairwise names get one of their own, the same for all
 * clients at one host (OpenID Connect Core, section 8.1). It depends on the oldest secret, which has to stay.
 */
export function subjectOf(scope: Scope, userId: string, client: Client | null): string {
  if (client?.registration.subject_type !== 'pairwise') return userId
  const sector = new URL(client.redirectURLs[0]!).host
  return createHmac('sha256', scope.settings.secrets.at(-1)!).update(`subject:${sector}:${userId}`).digest('base64url')
}
