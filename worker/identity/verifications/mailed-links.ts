import { deriveKey, equalSecrets, hmac } from '../../kit/hash.ts'
import { randomString } from '../../kit/random.ts'
import { days } from '../../kit/time.ts'
import { withQuery } from '../../kit/urls.ts'
import type { Scope } from '../scope.ts'
import { basePath } from '../settings.ts'

/**
 * The cookie of the browser that requested a link, and the parameter of the link that only this browser confirms. Mail
 * scanners open links without cookies: only in the requesting browser a GET uses the link (http/mailed-link.ts).
 */
const cookie = 'mailed_link'
const lifetime = days(1)

/** The mark that this request gives its browser: a response may be sent before the link is made. */
const given = new WeakMap<Scope, string>()

/** Marks the browser that requests a link. Called for unknown addresses too, so that the response does not reveal them. */
export function markLinkRequest(scope: Scope): string {
  const known = given.get(scope)
  if (known !== undefined) return known
  const mark = scope.cookies.getSigned(cookie) ?? randomString(32)
  scope.cookies.setSigned(cookie, mark, { maxAge: lifetime })
  given.set(scope, mark)
  return mark
}

const proofOf = (secret: string, mark: string, token: string) =>
  hmac(deriveKey(secret, 'mailed-link'), `${mark}:${token}`)

/** The address of a link in a mail that this request's browser causes. @param path below the base path */
export function mailedLink(
  scope: Scope,
  path: string,
  { token, callbackURL }: { token: string; callbackURL: string },
): string {
  const browser = proofOf(scope.settings.secrets[0], markLinkRequest(scope), token)
  return withQuery(`${scope.settings.baseUrl}${basePath}${path}`, { token, callbackURL, browser })
}

/** Whether this browser requested the link. */
export function hasRequestedLink(
  { cookies, settings }: Scope,
  { token, browser }: { token: string; browser?: string | undefined },
): boolean {
  const mark = browser === undefined ? null : cookies.getSigned(cookie)
  return mark !== null && settings.secrets.some((secret) => equalSecrets(proofOf(secret, mark, token), browser!))
}
