import { base64url, createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { BoundedMap } from '../../kit/bounded-map.ts'
import { asAnswer, type EndedFeed, endedFeed } from '../../kit/ended-feed.ts'

/** For servers that accept JWT access tokens of Gatehouse: no import from the Worker but pure functions, so that a package can export it. */

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
  /**
   * Whether the issuer's list of ended tokens judges the token, so that one of a revoked grant or a paused agent is refused within 5
   * seconds. It is read every 1 to 4 seconds while there are tokens. Without an answer for 30 seconds the issuer is asked about each
   * token. false: a token is believed until it expires. @default true
   */
  endedTokens?: boolean
  /** For requests to the issuer. @default the global function */
  fetch?: typeof fetch
  /** Keeps a Worker alive for the reading of the list after a response: `waitUntil` of `cloudflare:workers`. */
  waitUntil?: (work: Promise<unknown>) => void
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

const keySets = new BoundedMap<string, JWTVerifyGetKey>(100)

/** One key set per issuer: it caches the keys. */
function publishedKeys(issuer: string): JWTVerifyGetKey {
  const known = keySets.get(issuer)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(`${issuer}/api/auth/jwks`))
  keySets.set(issuer, keys)
  return keys
}

/** Milliseconds for one request to the issuer. */
const timeout = 1000
const feeds = new WeakMap<typeof fetch, Map<string, EndedFeed>>()

/** Workers cannot share a request between the requests that they serve. */
const sharesRequests =
  (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent !== 'Cloudflare-Workers'

/** Looked up for each call: tests and tools replace the global function. */
const globalFetch: typeof fetch = (input, init) => fetch(input, init)

/** One feed per issuer, and way to it: it keeps what it has read. */
function feedOf(issuer: string, ask: typeof fetch, background: (work: Promise<unknown>) => void): EndedFeed {
  const known = feeds.get(ask) ?? new BoundedMap<string, EndedFeed>(100)
  feeds.set(ask, known)
  const feed = known.get(issuer) ?? readerOf(issuer, ask, background)
  known.set(issuer, feed)
  return feed
}

function readerOf(issuer: string, ask: typeof fetch, background: (work: Promise<unknown>) => void): EndedFeed {
  return endedFeed({
    async request(place) {
      const address = `${issuer}/api/auth/oauth2/ended-tokens?after=${place}`
      const answer = await ask(address, { redirect: 'manual', signal: AbortSignal.timeout(timeout) })
      if (!answer.ok) throw new Error(`the list of ended tokens answered ${answer.status}`)
      return asAnswer(await answer.json())
    },
    now: Date.now,
    background,
    shares: sharesRequests,
  })
}

/** As the feed shows hashes and client ids. */
const shownLength = 16

async function shownHash(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64url.encode(new Uint8Array(hash)).slice(0, shownLength)
}

/** The client of a token, and the agents that act for its user. */
function clientsIn({ client_id: clientId, act }: JWTPayload): string[] {
  const clients = [String(clientId)]
  for (let actor = act as { sub?: unknown; act?: unknown } | undefined; actor; actor = actor.act as typeof actor) {
    clients.push(String(actor.sub))
  }
  return clients
}

/** Whether a token has ended, by the feed; by the issuer while the feed is not known. @throws if the issuer does not answer */
async function hasEnded(token: string, claims: JWTPayload, options: VerifyOptions): Promise<boolean> {
  const { issuer, fetch: ask = globalFetch, waitUntil = () => {} } = options
  const known = await feedOf(issuer, ask, waitUntil).read()
  if (!known) {
    const answer = await ask(`${issuer}/api/auth/oauth2/token-status`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    if (!answer.ok) throw new Error(`the issuer answered ${answer.status}`)
    return ((await answer.json()) as { active?: unknown }).active !== true
  }
  if (known.has(`jwt:${await shownHash(String(claims.jti))}`)) return true
  const names = [
    `resource:${await shownHash(String(claims.aud))}`,
    ...clientsIn(claims).map((clientId) => `client:${clientId.slice(0, shownLength)}`),
  ]
  // A token of the second in which its client or its resource ended is refused, too.
  return names.some((name) => claims.iat! * 1000 <= known.endedAt(name))
}

/**
 * Verifies a JWT access token (RFC 9068, section 4): type, signature, issuer, audience, time, scopes, and that it was not revoked
 * (`endedTokens`). It accepts no token that is bound to a key (RFC 9449), whose proof it cannot see.
 * @param token without the scheme `Bearer`
 * @throws AccessTokenError; other errors if the issuer does not answer, for which the caller should respond with 503
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
    // The class itself: the key endpoint returned something other than a key set.
    if (!(thrown instanceof errors.JOSEError) || thrown.code === 'ERR_JOSE_GENERIC') throw thrown
    throw new AccessTokenError('invalid_token', 'The access token is invalid')
  })
  const { sub, client_id: clientId, scope, exp, cnf } = payload
  if (cnf !== undefined) throw new AccessTokenError('invalid_token', 'The access token needs a proof of possession')
  if (options.endedTokens !== false && (await hasEnded(token, payload, options))) {
    throw new AccessTokenError('invalid_token', 'The access token has ended')
  }
  const scopes = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []
  if (needed.some((name) => !scopes.includes(name))) {
    throw new AccessTokenError('insufficient_scope', 'The access token lacks a scope', needed)
  }
  // A service authenticates without a user, so its token has no time of an authentication.
  const isService = sub === clientId && payload.auth_time === undefined
  return { subject: sub!, clientId: String(clientId), isService, scopes, expiresAt: exp!, claims: payload }
}
