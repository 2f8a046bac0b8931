/** The result of an operation, or the error that rejected it. Workers do not pass errors to each other unchanged. */
export type RpcAnswer<T> = { ok: true; result: Portable<T> } | { ok: false; code: string; message: string }

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
