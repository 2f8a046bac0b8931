import type { SessionMethod } from '../../../../identity/model/method.ts'
import type { Caller } from '../../../../identity/scope.ts'
import { authenticationOf } from '../protocol/authentication.ts'
import { type AuthorizationDetail, readDetails } from '../protocol/authorization-details.ts'
import { type RequestedClaims, scopesOfClaims, storedClaims } from '../protocol/requested-claims.ts'
import { requestedScopes } from '../protocol/requested-scopes.ts'
import { resourceList } from '../protocol/resources.ts'
import type { AuthorizationRequest } from '../requests/authorization-request.ts'
import { isS256 } from '../requests/request-checks.ts'

/** A client's request to a user. */
export interface RequestedGrant {
  clientId: string
  scopes: string[]
  nonce: string | null
  /** The requested resources, joined by spaces (RFC 8707, section 2); null: this server. */
  resource: string | null
  /** Claims that the request names one by one; null or absent: none. */
  claims?: RequestedClaims | null
  /** Requested authorization details (RFC 9396); null or absent: none. */
  details?: AuthorizationDetail[] | null
}

/** What the user has to agree to: the requested scopes, and those of the claims. */
export const consentScopes = ({ scopes, claims }: RequestedGrant): string[] => [
  ...new Set([...scopes, ...scopesOfClaims([...(claims?.userinfo ?? []), ...(claims?.idToken ?? [])])]),
]

/** The parts of an authorization request that the token request depends on. */
export interface RequestedCode extends RequestedGrant {
  redirectUri: string
  /**
   * The proof that the token request must contain: `S256:<challenge>`, `plain:<challenge>`, or empty (RFC 7636, section
   * 4.3).
   */
  proof: string
  /** Thumbprint of the key that the code is bound to (RFC 9449, section 10), or empty. */
  keyThumbprint: string
}

/** The user who grants it, and the authentication of their session. */
interface Grantor {
  userId: string
  /** Null without a session here. */
  sessionId: string | null
  securityVersion: number
  /** Unix ms. */
  authTime: number
  amr: string[]
  /** How the user of the session signed in; null if unknown. */
  method: SessionMethod | null
}

/** The grant of a user to a client. */
export type Grant = RequestedGrant & Grantor

/** The content of an authorization code. */
export type CodeGrant = RequestedCode & Grantor

export const requestedCode = ({ given, client, redirectUri, rules }: AuthorizationRequest): RequestedCode => ({
  clientId: client.clientId,
  redirectUri,
  scopes: requestedScopes(given.scope),
  proof: proofOf(given.code_challenge, given.code_challenge_method),
  nonce: given.nonce ?? null,
  resource: resourceList(given.resource),
  claims: storedClaims(given.claims),
  details: readDetails(rules.detailTypes, given.authorization_details),
  keyThumbprint: given.dpop_jkt ?? '',
})

const proofOf = (challenge: string | undefined, method: string | undefined): string =>
  challenge === undefined ? '' : `${isS256(method) ? 'S256' : 'plain'}:${challenge}`

/** The grant of a caller who agrees. */
export function grantedBy<R extends RequestedGrant>({ user, session }: Caller, requested: R): R & Grantor {
  const { authTime, amr } = authenticationOf(session, user)
  const { id: userId, securityVersion } = user
  return { ...requested, userId, sessionId: session.id, securityVersion, authTime, amr, method: session.method }
}
