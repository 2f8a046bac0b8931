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

/**
 * Marks the browser that requests a link, once for a request: a response may be sent before the link is made. Called for
 * unknown addresses too, so that the response does not reveal them.
 */
export const markLinkRequest = (scope: Scope): string => scope.once(newMark)

function newMark(scope: Scope): string {
  const mark = scope.response.cookies.getSigned(cookie) ?? randomString(32)
  scope.response.cookies.setSigned(cookie, mark, { maxAge: lifetime })
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
  { response: { cookies }, settings }: Scope,
  { token, browser }: { token: string; browser?: string | undefined },
): boolean {
  const mark = browser === undefined ? null : cookies.getSigned(cookie)
  return mark !== null && settings.secrets.some((secret) => equalSecrets(proofOf(secret, mark, token), browser!))
}
