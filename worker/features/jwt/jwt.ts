import type { JWTPayload } from 'jose'
import type { SessionRead, SessionReadWithText } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { sessionById } from '../../identity/sessions/sessions.store.ts'
import { withinLifetime } from '../../identity/sessions/sessions.ts'
import { ms } from '../../kit/time.ts'
import { jwtOptions, type TokenSource } from './jwt.config.ts'
import { jwtIssuerOf, signJwt, verifyJwt } from './signing-keys.ts'

/** The session in a token: without the session token, and the same from the database and from a cookie. */
function sourceOf({ session, user }: SessionRead): TokenSource {
  const source = JSON.parse(JSON.stringify({ session, user })) as SessionRead
  delete (source.session as Partial<SessionRead['session']>).token
  return source as unknown as TokenSource
}

/** Whether the configuration permits tokens for the session. The session of an API key needs an option. */
export const mayHaveToken = (scope: Scope, { key }: SessionRead): boolean => !key || jwtOptions.of(scope).forApiKeys

/**
 * Claims about an API key, or about the session (`sid`, OpenID Connect Front-Channel Logout 1.0, section 3) and an
 * administrator that acts for the user (`act`, RFC 8693, section 4.1).
 */
function originOf({ session, key }: SessionRead): JWTPayload {
  if (key) return { amr: ['api_key'], api_key: { id: key.id, access: key.access, permissions: key.permissions } }
  const { id, impersonatedBy } = session
  return { sid: String(id), ...(typeof impersonatedBy === 'string' ? { act: { sub: impersonatedBy } } : {}) }
}

/** Tokens of this isolate by options and source, with the time (ms) until which they are reused. */
const madeUnder = new WeakMap<object, Map<string, { token: string; until: number }>>()
const maxCreated = 1000

/**
 * Like `issueToken`, but returns a token from the same source again until a third of its life has passed, because a
 * signature costs more than the rest of get-session.
 */
export async function currentToken(scope: Scope, read: SessionReadWithText): Promise<string> {
  const now = scope.now().getTime()
  const made = madeUnder.get(scope.options) ?? new Map<string, { token: string; until: number }>()
  madeUnder.set(scope.options, made)
  const { expiresIn, definePayload } = jwtOptions.of(scope)
  // The session of a key is new in each request, so the text of the result is too.
  const from = read.key ? JSON.stringify([definePayload ? read : read.user, originOf(read)]) : read.text
  const known = made.get(from)
  if (known && now < known.until) return known.token
  const token = await issueToken(scope, read)
  if (made.size >= maxCreated) made.delete(made.keys().next().value!)
  made.set(from, { token, until: now + ms(expiresIn) / 3 })
  return token
}

/**
 * A token that identifies the user to other services, from the answer of get-session. It outlives the session for those
 * who do not read the feed of ended sessions.
 */
export async function issueToken(scope: Scope, read: SessionRead): Promise<string> {
  const { audience, expiresIn, definePayload } = jwtOptions.of(scope)
  const payload = definePayload ? await definePayload(sourceOf(read)) : read.user
  const { sub = read.user.id, iat: _, exp: __, ...claims } = payload as JWTPayload
  return signJwt(
    scope,
    // A configured payload cannot replace the audience, the session and the acting party.
    { ...claims, ...originOf(read), iss: jwtIssuerOf(scope), aud: audience ?? scope.settings.baseUrl, sub },
    { expiresIn },
  )
}

/** Whether a token is valid and its session has not ended, by the database. */
export async function isTokenActive(scope: Scope, token: string): Promise<boolean> {
  const claims = await verifyJwt(scope, token, { typ: 'JWT' })
  if (typeof claims?.sid !== 'string') return false
  const [session] = await sessionById(scope, claims.sid)
  return session !== undefined && withinLifetime(scope, session).expiresAt > scope.now()
}
