import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { boundCookie, boundText, readBoundCookie } from '../../../worker/kit/bound-cookie.ts'
import { joinCookie } from '../../../worker/kit/cookie-chunks.ts'

/** What is verified here, without a request to Gatehouse for each call. See decision 166. */

/** A session and its user as texts of JSON. */
export interface Read {
  session: Record<string, unknown> | null
  user: Record<string, unknown>
  /** The id of the session of a JWT. A deployment of an earlier version does not state it. */
  sessionId?: string
}

/** Looks up the published keys of a deployment: it keeps them, and reads them again after a rotation. */
export type Keys = JWTVerifyGetKey

export const publishedKeys = (url: string, request: typeof fetch): Keys =>
  createRemoteJWKSet(new URL(`${url}/api/auth/jwks`), {
    [customFetch]: (input, init) => request(input, init as RequestInit),
  })

/** The JWT of an Authorization header; null for other credentials, such as a session token, which has two parts. */
export const jwtOf = (headers: Headers): string | null =>
  /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null

/**
 * The user of a JWT; null for an invalid one, and for one of an API key, whose access level and permissions a check of
 * the user cannot express. @throws if the keys cannot be read
 */
export async function readJwt(
  token: string,
  keys: Keys,
  { issuer, audience, algorithm }: { issuer: string; audience: string; algorithm: string },
): Promise<Read | null> {
  let claims: JWTPayload
  try {
    const verified = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: [algorithm],
      typ: 'JWT',
      requiredClaims: ['exp', 'sub'],
    })
    claims = verified.payload
  } catch (thrown) {
    // The class itself: the key endpoint returned something other than a key set.
    const isToken = thrown instanceof errors.JOSEError && thrown.code !== 'ERR_JOSE_GENERIC'
    if (!isToken || thrown instanceof errors.JWKSTimeout || thrown instanceof errors.JWKSInvalid) throw thrown
    return null
  }
  if (claims.api_key !== undefined) return null
  const user = Object.fromEntries(Object.entries(claims).filter(([name]) => !registered.includes(name)))
  const sessionId = typeof claims.sid === 'string' ? { sessionId: claims.sid } : {}
  return { session: null, user: { ...user, id: claims.id ?? claims.sub }, ...sessionId }
}

/** Registered claims (RFC 7519, section 4.1) and the session: they describe the token. */
const registered = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sid']

/** Short names of the cookies of Gatehouse in a Cookie header, and their decoded values. */
export function cookiesOf(header: string | null, prefix: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { name, value } of ownCookies(header, prefix)) {
    try {
      found[name] = decodeURIComponent(value)
    } catch {
      // Not a cookie of Gatehouse, which encodes its values.
    }
  }
  return found
}

/** The part of a Cookie header that Gatehouse needs: the product's own cookies stay here. */
export const forwardedCookies = (header: string | null, prefix: string): string =>
  ownCookies(header, prefix)
    .map(({ pair }) => pair)
    .join('; ')

function ownCookies(header: string | null, prefix: string): { name: string; value: string; pair: string }[] {
  return (header ?? '').split(';').flatMap((text) => {
    const pair = text.trim()
    const end = pair.indexOf('=')
    const full = pair.slice(0, Math.max(0, end)).replace(/^__(?:Secure|Host)-/, '')
    return full.startsWith(`${prefix}.`)
      ? [{ name: full.slice(prefix.length + 1), value: pair.slice(end + 1), pair }]
      : []
  })
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))

const textBytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))

/**
 * The session of the session data cookie, if it has a signature of one of the keys, is not expired, and belongs to the
 * session cookie. @param keys base64url
 */
export async function readSessionData(
  cookies: Record<string, string>,
  keys: readonly string[],
  now: number,
): Promise<Read | null> {
  const token = cookies.session_token?.replace(/\.[^.]*$/, '')
  if (!token) return null
  try {
    const text = new TextDecoder().decode(bytesOf(joinCookie(cookies, 'session_data') ?? ''))
    const { session: data, expiresAt, signature } = JSON.parse(text)
    if (!(expiresAt > now) || data.session.token !== token || !(Date.parse(data.session.expiresAt) > now)) return null
    const signed = JSON.stringify({ ...data, expiresAt })
    const { boundKey } = data.session
    for (const key of keys) {
      if (!(await isSigned(key, signed, signature))) continue
      return boundKey === undefined || (await showsKey(cookies, token, boundKey, keys, now)) ? data : null
    }
  } catch {
    // A cookie of another form.
  }
  return null
}

/** Whether the request proves the key of a device-bound session. Gatehouse answers one that does not. */
async function showsKey(
  cookies: Record<string, string>,
  token: string,
  id: string,
  keys: readonly string[],
  now: number,
): Promise<boolean> {
  const shown = readBoundCookie(cookies[boundCookie(id)], now)
  if (!shown) return false
  for (const key of keys) if (await isSigned(key, boundText(token, id, shown.expiresAt), shown.signature)) return true
  return false
}

async function isSigned(key: string, text: string, signature: string): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', bytesOf(key), hmac, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, bytesOf(signature), textBytes(text))
}

/**
 * Derives the key for `sessionDataKey` from GATEHOUSE_SECRET: where the secret is, not in the product.
 * @returns 32 bytes, base64url
 */
export async function sessionDataKey(secret: string): Promise<string> {
  const source = await crypto.subtle.importKey('raw', textBytes(secret), 'HKDF', false, ['deriveBits'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: textBytes('gatehouse'), info: textBytes('session-cache') }
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(derivation, source, 256))
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/={1,2}$/, '')
}
