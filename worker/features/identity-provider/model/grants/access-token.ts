import type { User } from '../../../../identity/model/users.table.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { presentUser } from '../../../../identity/users/present-user.ts'
import { sha256 } from '../../../../kit/hash.ts'
import { signJwt, verifyJwt } from '../../../jwt/signing-keys.ts'
import type { AuthorizationDetail } from '../protocol/authorization-details.ts'
import { claimsAt } from '../protocol/known-resources.ts'
import { findResource } from '../protocol/resources.ts'
import { signatureAlgorithm } from '../protocol/security-profile.ts'
import { issuerOf } from '../protocol/urls.ts'
import type { ActClaim } from './chain.ts'
import { claimsOfScopes } from './claims.ts'

/** What an access token states. */
interface AccessTokenFacts {
  clientId: string
  resource: string | null
  scopes: readonly string[]
  /** Authorization details at the resource (RFC 9396, section 9.1). */
  details: readonly AuthorizationDetail[]
  keyThumbprint: string | null
  /** The client's identifier of the user; the client id for a service (RFC 9068, section 2.2). */
  sub: string
  /** Null for a service. */
  authentication: { authTime: Date; amr: readonly string[]; acr: string } | null
  user: User | null
  /** The agents that act for the user. */
  act: ActClaim | undefined
  /** Seconds. */
  expiresIn: number
}

/** The type of a JWT access token (RFC 9068, section 2.1): no other JWT of this server has it. */
const type = 'at+jwt'

/** The `jti` is not secret, so its hash must not be that of an opaque token. */
const hashOfId = (jti: string): string => `jwt:${sha256(jti)}`

/** Claims of the protocol that are absent from some tokens: a product's function must not add them. */
const reservedClaims = [
  'exp',
  'iat',
  'nbf',
  'auth_time',
  'acr',
  'amr',
  'cnf',
  'act',
  'may_act',
  'authorization_details',
]

/** What is stored of a token. @param secret an opaque token, or the `jti` of a JWT */
export const storedHash = (scope: Scope, secret: string, resource: string | null): string =>
  findResource(scope, resource)?.tokenFormat === 'jwt' ? hashOfId(secret) : sha256(secret)

/** What is stored of a token that a request presents. Only a token with our signature has the hash of a JWT. */
export async function presentedHash(scope: Scope, token: string): Promise<string> {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return sha256(token)
  const claims = await verifyJwt(scope, token, { issuer: issuerOf(scope), typ: type })
  return typeof claims?.jti === 'string' ? hashOfId(claims.jti) : sha256(token)
}

/** The claims that an administrator has chosen for a registered resource, as far as the token has their scopes. */
async function chosenClaims(scope: Scope, resource: string, scopes: readonly string[], user: User | null) {
  const names = claimsAt(scope, resource)
  if (!user || names.length === 0) return {}
  const permitted = Object.entries(await claimsOfScopes(scope, user, scopes))
  return Object.fromEntries(permitted.filter(([name]) => names.includes(name)))
}

/**
 * The access token that the client gets: the secret, or a JWT with it as `jti` (RFC 9068, section 2.2). RS256, which
 * every resource server supports (section 4), unless the security profile excludes it.
 */
export async function presentedToken(scope: Scope, secret: string, facts: AccessTokenFacts): Promise<string> {
  const { clientId, resource, scopes, details, keyThumbprint, sub, authentication, user, act, expiresIn } = facts
  const server = findResource(scope, resource)
  if (server?.tokenFormat !== 'jwt' || resource === null) return secret
  const presented = user && (presentUser(scope, user) as unknown as Record<string, unknown>)
  const more = server.claims ? await server.claims({ resource, clientId, scopes, user: presented }) : {}
  const additional = Object.fromEntries(Object.entries(more).filter(([name]) => !reservedClaims.includes(name)))
  const claims = {
    ...additional,
    ...(await chosenClaims(scope, resource, scopes, user)),
    iss: issuerOf(scope),
    aud: resource,
    sub,
    client_id: clientId,
    jti: secret,
    scope: scopes.join(' '),
    ...(authentication
      ? {
          auth_time: Math.floor(authentication.authTime.getTime() / 1000),
          acr: authentication.acr,
          ...(authentication.amr.length > 0 ? { amr: [...authentication.amr] } : {}),
        }
      : {}),
    ...(keyThumbprint ? { cnf: { jkt: keyThumbprint } } : {}),
    ...(act ? { act } : {}),
    ...(details.length > 0 ? { authorization_details: details } : {}),
  }
  return signJwt(scope, claims, {
    typ: type,
    expiresIn,
    alg: signatureAlgorithm(scope),
  })
}
