import { decodeJwt, errors, type JWTPayload } from 'jose'
import type { Scope } from '../../../identity/scope.ts'
import { Fault } from '../../../kit/errors.ts'
import { verifyForeignJwt } from '../../../kit/foreign-jwt.ts'
import { hours } from '../../../kit/time.ts'
import { resolveAddress } from './configured-provider.ts'
import { keySetAt, type TokenSender } from './key-sets.ts'
import type { IdTokenRules, Profile, ProviderContext, ProviderOptions } from './provider.ts'

/** Without `none` and the HS algorithms: a public key must not serve as a shared secret. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** An invalid id token. Its message goes to the log only. */
export class IdTokenError extends Error {
  override name = 'IdTokenError'
}

/**
 * Verifies an id token: signature, issuer, audience, expiry, age, nonce (OpenID Connect Core, section 3.1.3.7).
 * @returns its claims @throws IdTokenError for an invalid token; Fault when the key set is unavailable
 */
export async function verifyIdToken<O extends ProviderOptions>(
  scope: Scope,
  rules: IdTokenRules<O>,
  options: ProviderContext<O>['options'],
  token: string,
  { nonce, sender }: { nonce: string | undefined; sender: TokenSender },
): Promise<Profile> {
  let claims: JWTPayload
  try {
    const { issuer } = rules
    const audience = rules.audience?.(options) ?? options.clientId
    const verified = await verifyForeignJwt(token, await keySetAt(scope, resolveAddress(rules.jwks, options), sender), {
      algorithms: rules.algorithms?.filter((name) => asymmetric.includes(name)) ?? asymmetric,
      issuer: typeof issuer === 'function' ? issuer(options, decodeJwt(token)) : issuer,
      audience,
      currentDate: scope.now(),
      maxTokenAge: rules.maxAge ?? hours(1),
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    })
    claims = verified.payload
    // A token with several audiences must name the one that requested it.
    const party = claims.azp
    if (Array.isArray(claims.aud) && claims.aud.length > 1 && ![audience].flat().includes(String(party))) {
      throw new IdTokenError('the authorized party is another client')
    }
  } catch (thrown) {
    // An unavailable key set does not make the token invalid.
    if (thrown instanceof errors.JWKSTimeout || thrown instanceof errors.JWKSInvalid) {
      throw new Fault(`key set of ${new URL(resolveAddress(rules.jwks, options)).host}`, thrown)
    }
    if (thrown instanceof errors.JOSEError) throw new IdTokenError(thrown.message)
    throw thrown
  }
  if (nonce !== undefined && claims.nonce !== nonce) throw new IdTokenError('the nonce does not match')
  return claims
}
