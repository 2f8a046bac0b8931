import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { proofAlgorithms } from '../../../identity/sessions/dpop-challenge.ts'
import { OAuthError } from '../../../kit/errors.ts'
import { challenged, oauthError } from '../identity-provider.errors.ts'
import type { Client } from '../model/clients/client.ts'
import { hasEnded, knownClient } from '../model/clients/find-client.ts'
import { presentedHash } from '../model/grants/access-token.ts'
import { type Claims, claimsOf } from '../model/grants/claims.ts'
import type { OAuthAccessToken } from '../model/grants/grants.table.ts'
import { findTokenAndClient } from '../model/grants/tokens.store.ts'
import { words } from '../model/protocol/parameters.ts'
import { verifyProof } from '../model/requests/dpop.ts'

/** RFC 6750, sections 2.2 and 2.3: a token in a form or a query. */
const parameter = 'access_token'

export interface Presented {
  accessToken: string
  scheme: 'Bearer' | 'DPoP'
}

/**
 * The access token of the header (RFC 6750, section 2.1; RFC 9449, section 7.1), the only accepted place.
 * @throws invalid_request for a missing or a second token (RFC 6750, sections 2 and 3.1); invalid_token
 */
export function readPresented({ url, headers }: Request, raw = ''): Presented {
  const authorization = headers.get('authorization')
  if (authorization && (new URLSearchParams(raw).has(parameter) || new URL(url).searchParams.has(parameter))) {
    throw oauthError('invalid_request', 'more than one access token')
  }
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

/** The user and the client of an access token. One round trip. @throws invalid_token with a challenge */
export async function authenticateBearer(scope: Scope, { accessToken, scheme }: Presented): Promise<Bearer> {
  const found = await findTokenAndClient(scope, await presentedHash(scope, accessToken))
  if (!found) throw challenged('invalid_token', 'invalid access token')
  const { token, user, application } = found
  if (token.accessTokenExpiresAt <= scope.now()) throw challenged('invalid_token', 'The Access Token expired')
  const client = knownClient(scope, token.clientId, application)
  if (hasEnded(token.clientId, client)) throw challenged('invalid_token', 'invalid access token')
  await requireKey(scope, token, { accessToken, scheme })
  return { token, user, client }
}

/** A token that is bound to a key needs its proof and the scheme DPoP (RFC 9449, sections 7.1 and 7.2). */
async function requireKey(scope: Scope, { keyThumbprint }: OAuthAccessToken, presented: Presented): Promise<void> {
  if (keyThumbprint === null && presented.scheme === 'Bearer') return
  const challenge = { scheme: 'DPoP', algs: proofAlgorithms.join(' ') } as const
  const key = await verifyProof(scope, presented.accessToken).catch((thrown) => {
    if (!(thrown instanceof OAuthError)) throw thrown
    const code = thrown.error === 'use_dpop_nonce' ? thrown.error : 'invalid_dpop_proof'
    const refused = challenged(code, thrown.description, challenge)
    throw new OAuthError(refused.status, code, refused.description, {
      headers: { ...thrown.options.headers, ...refused.options.headers },
    })
  })
  if (presented.scheme === 'DPoP' && key !== null && key === keyThumbprint) return
  throw challenged('invalid_token', 'the token is bound to another key', challenge)
}

/** The user's claims for the token's scopes (OpenID Connect Core, 5.3). @param resources default: this server */
export async function userinfo(scope: Scope, presented: Presented, resources: readonly string[] = []): Promise<Claims> {
  const { token, user, client } = await authenticateBearer(scope, presented)
  if (token.resource !== null && !resources.includes(token.resource)) {
    throw challenged('invalid_token', 'the token is for another resource')
  }
  const scopes = words(token.scopes)
  if (!scopes.includes('openid')) throw challenged('insufficient_scope', 'openid is required', { scope: 'openid' })
  return claimsOf(scope, user, client, scopes, token.claims?.userinfo)
}
