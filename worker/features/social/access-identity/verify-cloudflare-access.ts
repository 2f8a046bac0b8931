import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { BoundedMap } from '../../../kit/bounded-map.ts'
import { verifyForeignJwt } from '../../../kit/foreign-jwt.ts'
import { hostOfTeam } from './team.ts'

/** For servers behind Cloudflare Access: no import from the Worker but pure functions, so that a package can export it. */

export interface CloudflareAccessOptions {
  /** `acme` of acme.cloudflareaccess.com. */
  team: string
  /** The Application Audience (AUD) tag of the application in front of this server. */
  audience: string
  /** The keys of the team. @default those that it publishes */
  keys?: (...given: never[]) => unknown
  /** Unix seconds. @default the current time */
  now?: number
}

/** Who calls through Access. */
export interface CloudflareAccessCaller {
  /** `service`: the holder of a service token. */
  kind: 'user' | 'service'
  /** The id of the user at Access, or the client id of the service token. */
  subject: string
  /** Null for a service. */
  email: string | null
  /** Unix seconds. */
  expiresAt: number
  claims: Record<string, unknown>
}

/** A request without a valid token of Access. Respond with its status. */
export class CloudflareAccessError extends Error {
  readonly status = 401

  constructor(message: string) {
    super(message)
    this.name = 'CloudflareAccessError'
  }
}

const keySets = new BoundedMap<string, JWTVerifyGetKey>(100)

/** One key set for each team: it caches the keys. */
function publishedKeys(host: string): JWTVerifyGetKey {
  const known = keySets.get(host)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(`https://${host}/cdn-cgi/access/certs`))
  keySets.set(host, keys)
  return keys
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * Verifies the token that Cloudflare Access has added to a request (`Cf-Access-Jwt-Assertion`): signature, team, application and
 * times. Without it, a request that reaches the server past Access could name any caller.
 * @throws CloudflareAccessError; other errors if the team's keys cannot be read, for which the caller should respond with 503
 */
export async function verifyCloudflareAccess(
  { headers }: { headers: Headers },
  { team, audience, keys = publishedKeys(hostOfTeam(team)), now }: CloudflareAccessOptions,
): Promise<CloudflareAccessCaller> {
  const token = headers.get('cf-access-jwt-assertion')
  if (!token) throw new CloudflareAccessError('The request has not passed Cloudflare Access')
  const { payload } = await verifyForeignJwt(token, keys as JWTVerifyGetKey, {
    issuer: `https://${hostOfTeam(team)}`,
    audience,
    algorithms: ['RS256'],
    requiredClaims: ['exp', 'iat'],
    currentDate: now === undefined ? new Date() : new Date(now * 1000),
  }).catch((thrown: unknown) => {
    if (thrown instanceof errors.JWKSTimeout || thrown instanceof errors.JWKSInvalid) throw thrown
    // The class itself: the team returned something other than a key set.
    if (!(thrown instanceof errors.JOSEError) || thrown.code === 'ERR_JOSE_GENERIC') throw thrown
    throw invalid()
  })
  // The other type is the session at the team's domain (`org`), which no application receives.
  if (payload.type !== 'app' || [payload.aud].flat().length !== 1) throw invalid()
  return callerOf(payload)
}

const invalid = () => new CloudflareAccessError('The token of Cloudflare Access is invalid')

function callerOf(claims: JWTPayload): CloudflareAccessCaller {
  const { sub, email, common_name: service, exp } = claims
  if (isText(service)) return { kind: 'service', subject: service, email: null, expiresAt: exp!, claims }
  if (!isText(sub) || !isText(email)) throw invalid()
  return { kind: 'user', subject: sub, email, expiresAt: exp!, claims }
}
