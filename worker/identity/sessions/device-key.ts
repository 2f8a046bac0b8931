import { boundCookie, boundText, deviceSessionPaths, readBoundCookie } from '../../kit/bound-cookie.ts'
import { deriveKey, equalSecrets, hmac } from '../../kit/hash.ts'
import { minutes, ms, seconds } from '../../kit/time.ts'
import type { Session } from '../model/sessions.table.ts'
import type { Scope } from '../scope.ts'
import { basePath } from '../settings.ts'
import { dpopChallenge } from './dpop-challenge.ts'
import { sessionOptions } from './sessions.config.ts'

/**
 * Device-bound sessions (Device Bound Session Credentials, https://w3c.github.io/webappsec-dbsc/): the browser has a key for
 * the session that it cannot export. A cookie of ten minutes says that it has proved the key; the session cookie is refused
 * without it. Nothing is read for the check: the cookie is an HMAC of the session's token, the key and the time.
 * features/session/device-bound/ registers keys and renews the cookie. Decision 391 has the reasons.
 */

/** Lifetime of the bound cookie (s). */
const boundFor = minutes(10)
/** Lifetime of a challenge (s) for a proof: a browser keeps the one of its last refresh until the bound cookie expires. */
const challengeFor = { register: minutes(2), refresh: boundFor + minutes(2) }
/** A registration whose key was never used is offered again after it (ms). */
const offerAgain = ms(minutes(1))
/** Requests that a browser sent before it had the bound cookie arrive until then (ms) (w3c/webappsec-dbsc#248). */
const settling = ms(seconds(10))

/** Products that verify session data themselves have this key (client/sdk/authenticator/local.ts), and verify the cookie with it. */
export const sessionDataKey = (secret: string): Uint8Array => deriveKey(secret, 'session-cache')

/** Lasts as long as the session, and names its token: the browser that registered the key shows it even when it is late. */
const keptCookie = (id: string): string => `device_key_${id}`

/** Whether the request has the unexpired bound cookie of a session's key. */
export function showsKey(scope: Scope, token: string, id: string): boolean {
  const shown = readBoundCookie(scope.response.cookies.get(boundCookie(id)), scope.now().getTime())
  if (!shown) return false
  const { expiresAt, signature } = shown
  return scope.settings.secrets.some((secret) =>
    equalSecrets(hmac(sessionDataKey(secret), boundText(token, id, expiresAt)), signature),
  )
}

/** The ids of the keys that the request shows for a session. */
export const shownKeys = (scope: Scope, token: string): string[] => [
  ...scope.response.cookies
    .namesWith(boundCookie(''))
    .map((name) => name.slice(boundCookie('').length))
    .filter((id) => showsKey(scope, token, id)),
  ...provedKeys(scope, token),
]

/** What dpop.ts has found about the token of the request, and why it was refused. */
export const tokenProof = () => ({
  proved: null as { token: string; keyId: string } | null,
  refusal: 'it is missing',
})

/** The key of a program that a request has proved for its token. */
export function provedKeys(scope: Scope, token: string): string[] {
  const { proved } = scope.once(tokenProof)
  return proved?.token === token ? [proved.keyId] : []
}

/** Whether the token of a session needs a proof with each request, and is in no cookie. */
export const needsProofs = ({ deviceKey }: Pick<Session, 'deviceKey'>): boolean => deviceKey?.kind === 'dpop'

/** The token of the session of a key, from the cookie that lasts as long as the session. */
export const tokenOfKey = (scope: Scope, id: string): string | null => scope.response.cookies.getSigned(keptCookie(id))

/** Sets the cookies of a proved key. */
export function setKeyCookies(scope: Scope, { token }: Pick<Session, 'token'>, id: string, rememberMe: boolean): void {
  const { cookies } = scope.response
  const expiresAt = String(scope.now().getTime() + ms(boundFor))
  const signature = hmac(sessionDataKey(scope.settings.secrets[0]), boundText(token, id, expiresAt))
  // Section 8.9: a partitioned cookie cannot be a bound one.
  cookies.set(boundCookie(id), `${expiresAt}.${signature}`, { maxAge: boundFor, atTopLevel: true })
  const lasting = rememberMe ? { maxAge: sessionOptions.of(scope).maxLifetime } : {}
  cookies.setSigned(keptCookie(id), token, { ...lasting, atTopLevel: true })
}

export function clearKeyCookies(scope: Scope, id: string): void {
  scope.response.cookies.clear(boundCookie(id))
  scope.response.cookies.clear(keptCookie(id))
}

type ChallengeFor = keyof typeof challengeFor

const challengeMac = (secret: string, purpose: ChallengeFor, subject: string, at: string): string =>
  hmac(deriveKey(secret, 'device-challenge'), `${purpose}:${subject}:${at}`)

/** A challenge that is stored nowhere. @param subject the session's id for a registration, the key's for a refresh */
export function newChallenge(scope: Scope, purpose: ChallengeFor, subject: string): string {
  const at = String(scope.now().getTime())
  return `${at}.${challengeMac(scope.settings.secrets[0], purpose, subject, at)}`
}

/** Whether a challenge is one of ours for the purpose and the subject, and not too old. */
export function isChallenge(scope: Scope, purpose: ChallengeFor, subject: string, challenge: string): boolean {
  const [at = '', mac = ''] = challenge.split('.')
  const age = scope.now().getTime() - Number(at)
  if (!/^\d{13}$/.test(at) || age < 0 || age > ms(challengeFor[purpose])) return false
  return scope.settings.secrets.some((secret) => equalSecrets(challengeMac(secret, purpose, subject, at), mac))
}

/** A challenge for the next proof of a key. Its `id` is required (section 9.2). */
export function sendChallenge(scope: Scope, id: string): void {
  scope.response.headers.set('secure-session-challenge', `"${newChallenge(scope, 'refresh', id)}";id="${id}"`)
}

/** Whether the browser keeps keys for this deployment: section 8.8 requires https or localhost. */
const isSecure = ({ settings: { baseUrl } }: Scope): boolean =>
  baseUrl.startsWith('https:') || new URL(baseUrl).hostname === 'localhost'

/**
 * Offers the browser to register a key for a session without one. Programs get no offer: they send no Sec-Fetch-Site. Neither
 * do pages of other sites, whose cookies may be partitioned (section 8.9 refuses such credentials).
 */
export function offerKey(scope: Scope, { id, deviceKey }: Session): void {
  if (sessionOptions.of(scope).deviceBound === 'off' || deviceKey?.since) return
  if (deviceKey && scope.now().getTime() - deviceKey.at < offerAgain) return
  const { headers } = scope.request
  const site = headers.get('sec-fetch-site')
  if (site === null || (site === 'cross-site' && headers.get('sec-fetch-mode') !== 'navigate') || !isSecure(scope))
    return
  const challenge = newChallenge(scope, 'register', id)
  scope.response.headers.set(
    'secure-session-registration',
    `(ES256 RS256);path="${basePath}${deviceSessionPaths.register}";challenge="${challenge}"`,
  )
}

const keyState = () => ({ isMissing: false })

/** Whether a session of this request was refused because its key was not proved. */
export const isKeyMissing = (scope: Scope): boolean => scope.once(keyState).isMissing

/** The session needs a proof that the request has not: the response has a challenge for it. */
export function noteMissingKey(scope: Scope, id: string): void {
  scope.once(keyState).isMissing = true
  sendChallenge(scope, id)
}

/** @param since when the key took effect */
export const isSettling = (scope: Scope, since: number): boolean => scope.now().getTime() - since < settling

type Bound = Pick<Session, 'token' | 'deviceKey'>

/**
 * Whether a request may use a session that was read. Every use of a session token has to ask, whatever named the token. A
 * registered key takes effect with the first request that proves it: an answer to its registration that got lost binds nothing.
 */
export function admits(scope: Scope, { token, deviceKey }: Bound): boolean {
  if (deviceKey?.kind === 'dpop') return admitsProof(scope, token, deviceKey.id)
  if (deviceKey === null || showsKey(scope, token, deviceKey.id)) return true
  if (deviceKey.since === null || isSettling(scope, deviceKey.since)) return true
  noteMissingKey(scope, deviceKey.id)
  return false
}

/** The key of a program is proved by each request alone: nothing is settling, and no cookie counts. */
function admitsProof(scope: Scope, token: string, keyId: string): boolean {
  const { headers } = scope.response
  const isProved = provedKeys(scope, token).includes(keyId)
  scope.once(keyState).isMissing = !isProved
  // A cookie with the token may have been refused before.
  if (isProved) headers.delete('www-authenticate')
  else headers.set('www-authenticate', dpopChallenge(scope.once(tokenProof).refusal))
  return isProved
}

/** Whether a request proves a key for the first time. */
export const isFirstProof = (scope: Scope, { token, deviceKey }: Bound): boolean =>
  deviceKey !== null && deviceKey.since === null && showsKey(scope, token, deviceKey.id)

/**
 * Whether a session cookie that `admits` refuses is a copy: the browser that registered the key would also show the cookie that
 * lasts as long as the session. A server that asks for its visitor, whose request has no path, may have left that out. The token
 * of a program may have been passed on.
 */
export const isCopied = (scope: Scope, { token, deviceKey }: Bound): boolean =>
  deviceKey !== null &&
  deviceKey.kind !== 'dpop' &&
  tokenOfKey(scope, deviceKey.id) !== token &&
  scope.request.path !== ''
