import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'

/** For servers that accept JWT access tokens of Gatehouse: no import from the Worker, so that a package can export it. */

/** Returns the key of a token, such as `createLocalJWKSet(...)` of jose. The published types name no library. */
export type KeyLookup = (...given: never[]) => unknown

export interface VerifyOptions {
  /** The issuer identifier: the address of Gatehouse, without a slash at its end. */
  issuer: string
  /** The identifier of this server in `identityProvider.resources`, without a slash at its end. */
  resource: string
  /** The scopes that the call needs. */
  scopes?: readonly string[]
  /** The keys; by default those that the issuer publishes, fetched once and after a rotation. */
  keys?: KeyLookup
  /** Unix seconds; default: the clock. */
  now?: number
}

/** A verified token (RFC 9068, section 2.2). */
export interface VerifiedAccessToken {
  /** The user, or the client id of a service. */
  subject: string
  clientId: string
  /** Whether no user is behind the token. */
  isService: boolean
  scopes: string[]
  /** Unix seconds. */
  expiresAt: number
  claims: Record<string, unknown>
}

/** The response that RFC 6750, section 3.1, defines: `status`, and `challenge` as the header `WWW-Authenticate`. */
export class AccessTokenError extends Error {
  readonly code: 'invalid_token' | 'insufficient_scope'
  readonly status: 401 | 403
  readonly challenge: string

  constructor(code: 'invalid_token' | 'insufficient_scope', message: string, scopes: readonly string[] = []) {
    super(message)
    this.name = 'AccessTokenError'
    this.code = code
    this.status = code === 'invalid_token' ? 401 : 403
    const scope = scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : ''
    this.challenge = `Bearer error="${code}", error_description="${message}"${scope}`
  }
}

const keySets = new Map<string, JWTVerifyGetKey>()

/** One key set per issuer: it caches the keys. */
function publishedKeys(issuer: string): JWTVerifyGetKey {
  const known = keySets.get(issuer)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(`${issuer}/api/auth/jwks`))
  keySets.set(issuer, keys)
  return keys
}

/**
 * Verifies a JWT access token (RFC 9068, section 4): type, signature, issuer, audience, time and scopes. It does not
 * know whether the token was revoked; it accepts no token that is bound to a key (RFC 9449), whose proof it cannot see.
 * @param token without the scheme `Bearer`
 * @throws AccessTokenError; other errors if the keys cannot be fetched, which are no fault of the token
 */
export async function verifyAccessToken(token: string, options: VerifyOptions): Promise<VerifiedAccessToken> {
  const { issuer, resource, scopes: needed = [], keys = publishedKeys(issuer), now } = options
  const { payload } = await jwtVerify(token, keys as JWTVerifyGetKey, {
    typ: 'at+jwt',
    issuer,
    audience: resource,
    algorithms: ['RS256', 'EdDSA'],
    requiredClaims: ['exp', 'iat', 'sub', 'client_id', 'jti'],
    ...(now === undefined ? {} : { currentDate: new Date(now * 1000) }),
  }).catch((thrown: unknown) => {
    if (thrown instanceof errors.JWKSTimeout || thrown instanceof errors.JWKSInvalid) throw thrown
    // The class itself: a response of the key endpoint that is no key set.
    if (!(thrown instanceof errors.JOSEError) || thrown.code === 'ERR_JOSE_GENERIC') throw thrown
    throw new AccessTokenError('invalid_token', 'The access token is invalid')
  })
  const { sub, client_id: clientId, scope, exp, cnf } = payload
  if (cnf !== undefined) throw new AccessTokenError('invalid_token', 'The access token needs a proof of possession')
  const scopes = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []
  if (needed.some((name) => !scopes.includes(name))) {
    throw new AccessTokenError('insufficient_scope', 'The access token lacks a scope', needed)
  }
  // A service authenticates without a user, so its token has no time of an authentication.
  const isService = sub === clientId && payload.auth_time === undefined
  return { subject: sub!, clientId: String(clientId), isService, scopes, expiresAt: exp!, claims: payload }
}
