import type { JWTPayload } from 'jose'
import { clockTolerance } from '../kit/foreign-jwt.ts'

const outside = clockTolerance + 10

/** Times of tokens from a clock that differs (s, from now), and whether a token with them is accepted. For `it.each`. */
export const foreignTimes: [string, JWTPayload, boolean][] = [
  ['issued 10 s ahead', { iat: 10, nbf: 10 }, true],
  ['expired 10 s ago', { exp: -10 }, true],
  ['issued beyond the tolerance', { iat: outside }, false],
  ['valid beyond the tolerance', { nbf: outside }, false],
  ['expired beyond the tolerance', { exp: -outside }, false],
]

/** These times as claims. */
export function fromNow(times: JWTPayload): JWTPayload {
  const now = Math.floor(Date.now() / 1000)
  return Object.fromEntries(Object.entries(times).map(([name, offset]) => [name, now + Number(offset)]))
}
