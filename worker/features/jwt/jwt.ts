import type { JWTPayload } from 'jose'
import type { SessionRead } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { jwtOptions, type TokenSource } from './jwt.config.ts'
import { issuerOf, signJwt } from './signing-keys.ts'

/** A session as a token may show it: without its own token, and the same whether it was read or in a cookie. */
function sourceOf({ session, user }: SessionRead): TokenSource {
  const source = JSON.parse(JSON.stringify({ session, user })) as SessionRead
  delete (source.session as Partial<SessionRead['session']>).token
  return source as unknown as TokenSource
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
