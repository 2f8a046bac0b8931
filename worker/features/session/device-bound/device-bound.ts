import { acceptClaim } from '../../../identity/caller.ts'
import { cookieOptions } from '../../../identity/cookie-jar.ts'
import type { DeviceKey, Session } from '../../../identity/model/sessions.table.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import {
  clearKeyCookies,
  isChallenge,
  isSettling,
  sendChallenge,
  setKeyCookies,
  showsKey,
  tokenOfKey,
} from '../../../identity/sessions/device-key.ts'
import { clearSessionCache } from '../../../identity/sessions/session-cache.ts'
import { clearSessionCookies, isForgetful, readSessionToken } from '../../../identity/sessions/session-cookies.ts'
import { registerDeviceKey } from '../../../identity/sessions/sessions.store.ts'
import { claimByToken } from '../../../identity/sessions/sessions.ts'
import { endpointUrl } from '../../../identity/settings.ts'
import { coreErrors } from '../../../identity/users/users.errors.ts'
import { boundCookie, deviceSessionPaths } from '../../../kit/bound-cookie.ts'
import { bindSession, endCopied } from './bound-sessions.ts'
import { deviceBoundErrors as errors } from './device-bound.errors.ts'
import { readDeviceProof, textOfHeader, thumbprintOf } from './device-proof.ts'

/** The session of a token, bound or not: only these endpoints read one without its key. */
const sessionOf = (scope: Scope, token: string | null) =>
  token === null ? null : acceptClaim(scope.db, claimByToken(scope, token, 'cookie', { needsKey: false }))

/** The browser forgets the key. Nothing else changes. */
const forget = { continue: false } as const

/**
 * Registers the key that the browser made for its session, after a response that offered it.
 * @throws SESSION_COPIED if another browser did it before
 */
export async function registerKey(scope: Scope) {
  const proof = readDeviceProof(scope.request.headers.get('secure-session-response'))
  if (!proof?.jwk || !(await proof.isSignedWith(proof.jwk))) throw errors.INVALID_DEVICE_PROOF()
  const found = await sessionOf(scope, readSessionToken(scope))
  if (!found) throw coreErrors.UNAUTHORIZED()
  const { session } = found
  if (!isChallenge(scope, 'register', session.id, proof.jti)) throw errors.INVALID_DEVICE_PROOF()
  const deviceKey: DeviceKey = {
    id: await thumbprintOf(proof.jwk),
    jwk: proof.jwk,
    at: scope.now().getTime(),
    since: null,
  }
  // A repeated proof must not earn a second cookie.
  if (session.deviceKey?.id === deviceKey.id) throw errors.SESSION_ALREADY_BOUND()
  if (session.deviceKey?.since) return refuseSecondKey(scope, found, session.deviceKey)
  if (!(await registerDeviceKey(scope.db, session.id, deviceKey))) throw errors.SESSION_ALREADY_BOUND()
  // The next read is from the database: the key takes effect with it.
  clearSessionCache(scope)
  return instructionsFor(scope, session, deviceKey.id)
}

/** Two pages of one browser may register at the same time; the browser then shows that it has proved the first key. */
async function refuseSecondKey(scope: Scope, found: { session: Session; user: User }, { id, since }: DeviceKey) {
  if (showsKey(scope, found.session.token, id)) return forget
  if (isSettling(scope, since!)) throw errors.SESSION_ALREADY_BOUND()
  return refuseCopy(scope, found)
}

async function refuseCopy(scope: Scope, found: { session: Session; user: User }): Promise<never> {
  // Another round trip than that of honest browsers.
  scope.io.declare({ d1: 1 })
  await endCopied(scope, found)
  clearSessionCookies(scope)
  throw errors.SESSION_COPIED()
}

/**
 * Renews the bound cookie. Without a proof of a current challenge the response is 403 with a challenge, which the browser
 * signs. Only a proof that the session's key has not made ends the session.
 */
export async function refreshSession(scope: Scope) {
  const { headers } = scope.request
  const id = textOfHeader(headers.get('sec-secure-session-id'))
  // Only a browser sets a header of this name, so that another site learns nothing from the time of the response (section 6).
  if (!id || !/^[\w-]{43}$/.test(id)) throw errors.INVALID_DEVICE_PROOF()
  const found = await sessionOf(scope, tokenOfKey(scope, id) ?? readSessionToken(scope))
  const deviceKey = found?.session.deviceKey
  if (!found || deviceKey?.id !== id) {
    // Of an ended session, or of a registration that another one of this browser has replaced.
    clearKeyCookies(scope, id)
    return forget
  }
  const given = headers.get('secure-session-response')
  if (given === null) return requestProof(scope, id)
  const proof = readDeviceProof(given)
  // Chrome ends its session after a 4xx other than 403, which a browser does not cause here.
  if (!proof || (proof.jwk && (await thumbprintOf(proof.jwk)) !== id)) return refuseOrCopy(scope, found, proof !== null)
  if (!(await proof.isSignedWith(deviceKey.jwk))) return refuseCopy(scope, found)
  if (!isChallenge(scope, 'refresh', id, proof.jti)) return requestProof(scope, id)
  if (deviceKey.since === null) {
    scope.after(() => bindSession(scope, found.session.id, { ...deviceKey, since: scope.now().getTime() }))
  }
  sendChallenge(scope, id)
  return instructionsFor(scope, found.session, id)
}

function refuseOrCopy(scope: Scope, found: { session: Session; user: User }, isProof: boolean): Promise<never> {
  if (isProof) return refuseCopy(scope, found)
  throw errors.INVALID_DEVICE_PROOF()
}

function requestProof(scope: Scope, id: string): never {
  sendChallenge(scope, id)
  throw errors.DEVICE_PROOF_REQUIRED()
}

/** Sets the cookies of a proved key, and describes the bound one (section 9.6). */
function instructionsFor(scope: Scope, session: Session, id: string) {
  const { baseUrl, trustedOrigins } = scope.settings
  const { cookies } = scope.response
  setKeyCookies(scope, session, id, !isForgetful(scope))
  const name = cookies.nameOf(boundCookie(id))
  const [, ...attributes] = cookies
    .lines()
    .find((line) => line.startsWith(`${name}=`))!
    .split('; ')
  const { domain } = cookieOptions.of(scope)
  const { protocol, origin } = new URL(baseUrl)
  return {
    session_identifier: id,
    refresh_url: endpointUrl(scope, deviceSessionPaths.refresh),
    // Section 8.9: a whole site only from its registrable domain, which then names us in /.well-known/device-bound-sessions. A
    // browser that finds otherwise binds nothing.
    scope: domain
      ? { origin: `${protocol}//${domain.replace(/^\./, '')}`, include_site: true }
      : { origin, include_site: false },
    credentials: [
      { type: 'cookie' as const, name, attributes: attributes.filter((one) => !one.startsWith('Max-Age')).join('; ') },
    ],
    // Section 8.3: pages of other origins whose requests wait for a refresh.
    allowed_refresh_initiators: [...new Set(trustedOrigins.flatMap(hostPattern))],
  }
}

/** The host of a trusted origin, with `*.` for its subdomains. */
const hostPattern = (trusted: string): string[] => /^https?:\/\/((?:\*\.)?[^*:/]+)/.exec(trusted)?.slice(1, 2) ?? []
