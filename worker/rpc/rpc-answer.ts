/** What a refusal says beside its code. */
export interface RefusalDetails {
  /** The invalid fields of the input, with `VALIDATION_ERROR` and others. */
  issues?: { path: string; message: string; rule?: string }[]
  /** The permission that the server key lacks. */
  permission?: string
  /** Why, where one code has several reasons: an invitation is `expired`, `accepted`, ... */
  reason?: string
  /** Seconds until the limit ends. */
  retryAfter?: number
  /** The request that verifies the address first. */
  verifyWith?: string
  /** In development, over HTTP: what to change. */
  hint?: string
}

/** The result of an operation, or the error that rejected it. Workers do not pass errors to each other unchanged. */
export type RpcAnswer<T> =
  | { ok: true; result: Portable<T> }
  | { ok: false; code: string; message: string; details?: RefusalDetails }

/**
 * The details of a refusal as a part of its answer; empty without any.
 * @param extra what its body has beside code and message
 * @param pause `X-Retry-After` or `Retry-After` in seconds; a date (RFC 9110, section 10.2.3), which a proxy may send, is left out
 */
export function detailsOf(extra: object, pause: string | null | undefined): { details?: RefusalDetails } {
  const retryAfter = Number(pause)
  const details = { ...extra, ...(retryAfter > 0 ? { retryAfter } : {}) }
  return Object.keys(details).length > 0 ? { details } : {}
}

type Scalar = string | number | boolean | null
type Within<T> = T | T[] | { [name: string]: T }
/** JSON, two levels deep. The compiler of a binding's types cannot resolve a recursive type. */
type JsonValue = Within<Within<Scalar>>

/** A result as JSON. A part of unknown type would make it `never` for the caller (a test checks every method). */
export type Portable<T> = unknown extends T
  ? JsonValue
  : T extends Date | string
    ? T
    : T extends object
      ? { [K in keyof T]: Portable<T[K]> }
      : T
