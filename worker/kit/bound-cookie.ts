/**
 * The cookie of a device-bound session (worker/identity/sessions/device-key.ts): `<expiry>.<signature>`. Products that verify
 * session data verify it too, with the same key.
 */

/** Each key has its own cookie, because a browser may have sessions of several accounts. @param id the thumbprint of the key */
export const boundCookie = (id: string): string => `bound_${id}`

/** The parts of a cookie that has not expired; null for others. @param now Unix time (ms) */
export function readBoundCookie(
  value: string | undefined,
  now: number,
): { expiresAt: string; signature: string } | null {
  const [, expiresAt = '', signature = ''] = /^(\d{13})\.([\w-]{43})$/.exec(value ?? '') ?? []
  return Number(expiresAt) > now ? { expiresAt, signature } : null
}

/** What is signed. */
export const boundText = (token: string, id: string, expiresAt: string): string => `bound:${token}:${id}:${expiresAt}`

/** Where a browser registers and renews the key of a device-bound session; responses name these paths. */
export const deviceSessionPaths = { register: '/device-session/register', refresh: '/device-session/refresh' } as const
