import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { OAuthError } from '../../../kit/errors.ts'
import { sha256 } from '../../../kit/hash.ts'
import type { Client } from '../clients/client.ts'
import { hasEnded, knownClient } from '../clients/find-client.ts'
import { proofAlgorithms, verifyProof } from '../dpop/dpop.ts'
import { challenged } from '../identity-provider.errors.ts'
import type { OAuthAccessToken } from '../identity-provider.table.ts'
import { words } from '../parameters.ts'
import { type Claims, claimsOf } from '../token/claims.ts'
import { findTokenAndClient } from '../token/tokens.store.ts'

export interface Presented {
  accessToken: string
  scheme: 'Bearer' | 'DPoP'
}

/** The access token of a request's header (RFC 6750, section 2.1; RFC 9449, section 7.1). @throws invalid_request */
export function readPresented(authorization: string | null): Presented {
  if (!authorization) throw challenged('invalid_request', 'authorization header not found')
  const [, scheme, accessToken] = /^(Bearer|DPoP) +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  if (!scheme || !accessToken) throw challenged('invalid_token', 'invalid access token')
  return { accessToken, scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer' }
}

export interface Bearer {
  token: OAuthAccessToken
  user: User
  client: Client | null
}

/**
 * Who stands behind an access token. One round trip.
 * @throws invalid_token with a challenge
 */
export async function authenticateBearer(scope: Scope, { accessToken, scheme }: Presented): Promise<Bearer> {
  const found = await findTokenAndClient(scope.db, sha256(accessToken), scope.now())
  if (!found) throw challenged('invalid_token', 'invalid access token')
  const { token, user, application } = found
  if (token.accessTokenExpiresAt <= scope.now()) throw challenged('invalid_token', 'The Access Token expired')
  const client = knownClient(scope, token.clientId, application)
  if (hasEnded(token.clientId, client)) throw challenged('invalid_token', 'invalid access token')
  await requireKey(scope, token, { accessToken, scheme })
  return { token, user, client }
}

/** A token that is bound to a key opens nothing without it, and not as a bearer token (RFC 9449, sections 7.1 and 7.2). */
async function requireKey(scope: Scope, { keyThumbprint }: OAuthAccessToken, presented: Presented): Promise<void> {
  if (keyThumbprint === null && presented.scheme === 'Bearer') return
  const challenge = { scheme: 'DPoP', algs: proofAlgorithms.join(' ') } as const
  const key = await verifyProof(scope, presented.accessToken).catch((thrown) => {
    throw thrown instanceof OAuthError ? challenged('invalid_dpop_proof', thrown.description, challenge) : thrown
  })
  if (presented.scheme === 'DPoP' && key !== null && key === keyThumbprint) return
  throw challenged('invalid_token', 'the token is bound to another key', challenge)
}

/**
 * The claims of the person, as far as the token's scopes go (OpenID Connect Core, section 5.3).
 * @param resource that a token may be for besides this one; a tool server's token is not accepted here
 */
export async function userinfo(scope: Scope, presented: Presented, resources: readonly string[] = []): Promise<Claims> {
  const { token, user, client } = await authenticateBearer(scope, presented)
  if (token.resource !== null && !resources.includes(token.resource)) {
    throw challenged('invalid_token', 'the token is for another resource')
  }
  const scopes = words(token.scopes)
  if (!scopes.includes('openid')) throw challenged('insufficient_scope', 'openid is required', { scope: 'openid' })
  return claimsOf(scope, user, client, scopes)
}
