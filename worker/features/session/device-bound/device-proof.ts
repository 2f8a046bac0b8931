import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { fromBase64url } from '../../../kit/base64.ts'

/** A DBSC proof (section 9.9): a JWT that the browser signs with the key of the session. */
export interface DeviceProof {
  /** The challenge. */
  jti: string
  /** Of a registration: the public key, without other members. */
  jwk: Readonly<Record<string, string>> | null
  /** Whether the proof was made with a key. */
  isSignedWith(jwk: JWK): Promise<boolean>
}

/** An RSA key of 4096 bits, twice in base64url, with its signature. */
const maxLength = 4000

/** RFC 7518: the members of a public key, in the order of its thumbprint. A private member is never stored. */
const members = { ES256: ['crv', 'kty', 'x', 'y'], RS256: ['e', 'kty', 'n'] } as const
const isAlgorithm = (alg: unknown): alg is keyof typeof members => alg === 'ES256' || alg === 'RS256'

/** Lengths in base64url: a modulus of 2048 to 4096 bits, a coordinate of P-256. */
const modulus = { min: 342, max: 683 }
const coordinate = { min: 43, max: 43 }

/**
 * The text of a header: a string of RFC 8941, or without quotes. Section 9 asks for a string; Chrome 146 sends its session
 * identifier without quotes (w3c/webappsec-dbsc#243).
 */
export const textOfHeader = (value: string | null): string | null =>
  value === null ? null : (/^"([^"]*)"/.exec(value)?.[1] ?? value)

/** Parses a proof; null for one that is not a DBSC proof. Nothing is verified yet. */
export function readDeviceProof(value: string | null): DeviceProof | null {
  const jwt = textOfHeader(value)
  if (!jwt || jwt.length > maxLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jwt)) return null
  try {
    const header = decodeProtectedHeader(jwt)
    const { jti } = JSON.parse(fromBase64url(jwt.split('.')[1]!))
    const { alg, typ, jwk } = header
    if (typ !== 'dbsc+jwt' || !isAlgorithm(alg) || typeof jti !== 'string') return null
    const own = jwk === undefined ? null : publicKey(jwk, alg)
    if (jwk !== undefined && own === null) return null
    return {
      jti,
      jwk: own,
      async isSignedWith(key) {
        if (publicKey(key, alg) === null) return false
        try {
          await compactVerify(jwt, await importJWK(key, alg), { algorithms: [alg] })
          return true
        } catch {
          return false
        }
      },
    }
  } catch {
    return null
  }
}

/** The public members of a key; null for a key of another algorithm or size, or with a private part. */
function publicKey(jwk: JWK, alg: keyof typeof members): Record<string, string> | null {
  const given = jwk as Record<string, unknown>
  if ('d' in given || 'k' in given) return null
  const isFit =
    alg === 'ES256'
      ? given.kty === 'EC' && given.crv === 'P-256' && isText(given.x, coordinate) && isText(given.y, coordinate)
      : given.kty === 'RSA' && isText(given.n, modulus) && (given.e === 'AQAB' || given.e === 'AAEAAQ')
  return isFit ? Object.fromEntries(members[alg].map((name) => [name, String(given[name])])) : null
}

const isText = (value: unknown, { min, max }: typeof modulus): boolean =>
  typeof value === 'string' && value.length >= min && value.length <= max && /^[\w-]+$/.test(value)

/** RFC 7638. */
export const thumbprintOf = (jwk: JWK): Promise<string> => calculateJwkThumbprint(jwk)
