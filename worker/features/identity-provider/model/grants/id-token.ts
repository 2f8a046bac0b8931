import { createLocalJWKSet, jwtVerify } from 'jose'
import type { User } from '../../../../identity/model/users.table.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { passFault } from '../../../../kit/errors.ts'
import { days } from '../../../../kit/time.ts'
import { readPublicKeys, signJwt, warmSigningKey } from '../../../jwt/signing-keys.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import type { Client } from '../clients/client.ts'
import { acrOf } from '../protocol/authentication.ts'
import type { RequestedClaims } from '../protocol/requested-claims.ts'
import { signatureAlgorithm } from '../protocol/security-profile.ts'
import { issuerOf } from '../protocol/urls.ts'
import { claimsOf } from './claims.ts'
import { sidOf, subjectOf } from './subjects.ts'

/** Keys stay published for a day after their last signature. */
const maxLifetime = days(1)

/** The sign-in that an id token is about. */
export interface Authentication {
  user: User
  scopes: readonly string[]
  authTime: Date
  sessionId: string | null
  nonce?: string | null
  amr?: readonly string[]
  claims?: RequestedClaims | null
}

/** Every client supports RS256 (OpenID Connect Core, section 15.1); a client may register for EdDSA. */
const algorithmOf = (scope: Scope, { registration }: Client) =>
  signatureAlgorithm(scope, registration.id_token_signed_response_alg)

/** An id token (OpenID Connect Core, section 2). */
export async function signIdToken(scope: Scope, client: Client, signedIn: Authentication): Promise<string> {
  const { user, scopes, authTime, sessionId, nonce, amr = [], claims: named } = signedIn
  const claims = {
    iss: issuerOf(scope),
    aud: client.clientId,
    ...(await claimsOf(scope, user, client, scopes, named?.idToken)),
    // The protocol's id tokens contain the picture as the profile, too.
    ...(user.image && scopes.includes('profile') ? { profile: user.image } : {}),
    auth_time: Math.floor(authTime.getTime() / 1000),
    acr: acrOf({ amr, isGuest: user.isAnonymous }),
    ...(amr.length > 0 ? { amr: [...amr] } : {}),
    ...(nonce ? { nonce } : {}),
    ...(sessionId ? { sid: sidOf(sessionId, client) } : {}),
  }
  const expiresIn = Math.min(identityProviderOptions.of(scope).accessTokenExpiresIn, maxLifetime)
  return signJwt(scope, claims, { typ: 'JWT', expiresIn, alg: algorithmOf(scope, client) })
}

/** Loads the key that the token request will need. */
export const warmIdTokenKey = (scope: Scope, client: Client): Promise<void> =>
  warmSigningKey(scope, algorithmOf(scope, client))

/** Reads an id token that this server has signed. An expired one is accepted, since it is a hint only. Null if it is invalid. */
export async function readIdTokenHint(scope: Scope, hint: string): Promise<{ sub: string; clientId: string } | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(hint, createLocalJWKSet(await readPublicKeys(scope)), {
      issuer: issuerOf(scope),
      clockTolerance: days(3650),
      currentDate: scope.now(),
    })
    const { sub, aud, auth_time: authTime } = payload
    // A session token has the same issuer and keys, but is not about a sign-in to a client.
    if (protectedHeader.typ !== 'JWT' || authTime === undefined) return null
    if (typeof sub !== 'string' || typeof aud !== 'string') return null
    return { sub, clientId: aud }
  } catch (thrown) {
    passFault(thrown)
    return null
  }
}

/** Verifies an id token that this server has signed for a client. Null if it is invalid, expired or for another client. */
export async function readIdToken(
  scope: Scope,
  token: string,
  clientId: string,
): Promise<{ sub: string; authTime: number } | null> {
  const keys = createLocalJWKSet(await readPublicKeys(scope))
  try {
    const { payload } = await jwtVerify(token, keys, {
      ...{ issuer: issuerOf(scope), audience: clientId, typ: 'JWT' },
      requiredClaims: ['exp', 'sub', 'auth_time'],
      currentDate: scope.now(),
    })
    const { sub, aud, auth_time: authTime } = payload
    return typeof aud === 'string' && typeof authTime === 'number' ? { sub: sub!, authTime } : null
  } catch {
    return null
  }
}

/** Whether an `id_token_hint` names this user (OpenID Connect Core, section 3.1.2.2, item 4); null if it is invalid. */
export async function isHintedPerson(scope: Scope, hint: string, client: Client, user: User): Promise<boolean | null> {
  const hinted = await readIdTokenHint(scope, hint)
  if (hinted?.clientId !== client.clientId) return null
  return hinted.sub === (await subjectOf(scope, user.id, client))
}
