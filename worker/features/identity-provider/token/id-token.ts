import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { passFault } from '../../../kit/errors.ts'
import { days } from '../../../kit/time.ts'
import { readPublicKeys, signJwt, warmSigningKey } from '../../jwt/signing-keys.ts'
import { authenticationClasses } from '../authorize/methods.ts'
import type { Client } from '../clients/client.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { issuerOf } from '../issuer.ts'
import { claimsOf, subjectOf } from './claims.ts'

/** Keys stay published for a day after their last signature. */
const longestLife = days(1)

/** What an id token tells of the sign-in. */
export interface Authentication {
  user: User
  scopes: readonly string[]
  authTime: Date
  sessionId: string | null
  nonce?: string | null
  amr?: readonly string[]
}

/** RS256 is what every client understands (OpenID Connect Core, section 15.1); others ask for EdDSA. */
const algorithmOf = ({ registration }: Client) => registration.id_token_signed_response_alg ?? 'RS256'

/** An id token (OpenID Connect Core, section 2). */
export function signIdToken(scope: Scope, client: Client, signedIn: Authentication): Promise<string> {
  const { user, scopes, authTime, sessionId, nonce, amr = [] } = signedIn
  const claims = {
    iss: issuerOf(scope),
    aud: client.clientId,
    ...claimsOf(scope, user, client, scopes),
    // The protocol's id tokens show the picture as the profile, too.
    ...(user.image && scopes.includes('profile') ? { profile: user.image } : {}),
    auth_time: Math.floor(authTime.getTime() / 1000),
    acr: authenticationClasses[0],
    ...(amr.length > 0 ? { amr: [...amr] } : {}),
    ...(nonce ? { nonce } : {}),
    ...(sessionId ? { sid: sessionId } : {}),
  }
  const expiresIn = Math.min(identityProviderOptions.of(scope).accessTokenExpiresIn, longestLife)
  return signJwt(scope, claims, { typ: 'JWT', expiresIn, alg: algorithmOf(client) })
}

/** Makes sure that this isolate has the key that the token request will need. */
export const warmIdTokenKey = (scope: Scope, client: Client): Promise<void> =>
  warmSigningKey(scope, algorithmOf(client))

/** What an id token of ours says, though it may have expired: it is a hint, and no proof. Null for anything else. */
export async function readIdTokenHint(
  scope: Scope,
  hint: string,
): Promise<{ sub: string; clientId: string; sessionId: string | null } | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(hint, createLocalJWKSet(await readPublicKeys(scope)), {
      issuer: issuerOf(scope),
      clockTolerance: days(3650),
      currentDate: scope.now(),
    })
    const { sub, aud, sid, auth_time: authTime } = payload
    // A session token of ours has the same issuer and keys, but says nothing of a sign-in at a client.
    if (protectedHeader.typ !== 'JWT' || authTime === undefined) return null
    if (typeof sub !== 'string' || typeof aud !== 'string') return null
    return { sub, clientId: aud, sessionId: typeof sid === 'string' ? sid : null }
  } catch (thrown) {
    passFault(thrown)
    return null
  }
}

/** Whether an id token that a client still has is this person's (OpenID Connect Core, section 3.1.2.2, item 4). */
export async function isHintedPerson(scope: Scope, hint: string, client: Client, user: User): Promise<boolean> {
  const hinted = await readIdTokenHint(scope, hint)
  return hinted !== null && hinted.clientId === client.clientId && hinted.sub === subjectOf(scope, user.id, client)
}
