import type { JWTPayload } from 'jose'
import type { SessionRead } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { ms } from '../../kit/time.ts'
import { jwtOptions, type TokenSource } from './jwt.config.ts'
import { issuerOf, signJwt } from './signing-keys.ts'

/** A session as a token may show it: without its own token, and the same whether it was read or in a cookie. */
function sourceOf({ session, user }: SessionRead): TokenSource {
  const source = JSON.parse(JSON.stringify({ session, user })) as SessionRead
  delete (source.session as Partial<SessionRead['session']>).token
  return source as unknown as TokenSource
}

/** Tokens that this isolate has made, by options and what they were made from, and until when (ms) they serve again. */
const madeUnder = new WeakMap<object, Map<string, { token: string; until: number }>>()
const mostMade = 1000

/**
 * The same as `issueToken`, but a token from the same source that is not older than a third of its life is handed out
 * again: get-session is asked often, and a signature costs more than all the rest of its answer. Only a payload of the
 * configuration's sees the session, which changes with each request of an API key that does not expire.
 */
export async function currentToken(scope: Scope, read: SessionRead): Promise<string> {
  const now = scope.now().getTime()
  const made = madeUnder.get(scope.options) ?? new Map<string, { token: string; until: number }>()
  madeUnder.set(scope.options, made)
  const { expiresIn, definePayload } = jwtOptions.of(scope)
  const from = JSON.stringify(definePayload ? read : read.user)
  const known = made.get(from)
  if (known && now < known.until) return known.token
  const token = await issueToken(scope, read)
  if (made.size >= mostMade) made.delete(made.keys().next().value!)
  made.set(from, { token, until: now + ms(expiresIn) / 3 })
  return token
}

/**
 * A token for other services, which says who is signed in. It is made from what get-session answers and asks nobody
 * else; it lives on for its few minutes when the session has ended.
 */
export async function issueToken(scope: Scope, read: SessionRead): Promise<string> {
  const { audience, expiresIn, definePayload } = jwtOptions.of(scope)
  const payload = definePayload ? await definePayload(sourceOf(read)) : read.user
  const { sub = read.user.id, iat: _, exp: __, ...claims } = payload as JWTPayload
  return signJwt(
    scope,
    { ...claims, iss: issuerOf(scope), aud: audience ?? scope.settings.baseUrl, sub },
    { expiresIn },
  )
}
