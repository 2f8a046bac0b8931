/** The errors of the API. A feature lists its own (`*.errors.ts`); http/error-codes.generated.txt lists all. */

/** `detail` is only logged, `extra` is added to the body, `headers` to the answer. */
export interface ErrorOptions {
  detail?: string
  extra?: Record<string, unknown>
  headers?: Record<string, string>
}

/** A response `{ code, message }` with its status. */
export class AppError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly options: ErrorOptions = {},
  ) {
    super(message)
  }
}

/** A hook has rejected the request. The caller gets its message unchanged, also in a redirect. */
export class HookRefusal extends AppError {}

/** An error in the OpenAPI document. */
export interface ErrorKind<Code extends string = string> {
  readonly status: number
  readonly code: Code
  readonly message: string
  /** The form of the answer, if not `{ code, message }`. */
  readonly form?: 'oauth' | 'json-rpc'
}

/** Creates an AppError of its kind. */
export interface AppErrorKind<Code extends string = string> extends ErrorKind<Code> {
  (options?: ErrorOptions): AppError
}

/** Redirects a browser to `location`, whose query names the error (http/error-url.ts). */
export class RedirectError extends Error {
  constructor(
    readonly location: string,
    readonly options: { detail?: string } = {},
  ) {
    super(`redirect to ${location.split('?')[0]}`)
  }
}

/** An OAuth 2.0 error answer: `{ error, error_description }` with no-store (RFC 6749, section 5.2). */
export class OAuthError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    readonly description: string,
    readonly options: ErrorOptions = {},
  ) {
    super(description)
  }
}

/** A binding or an external service is unavailable. A retry may succeed: 503 with Retry-After. */
export class Fault extends Error {
  override name = 'Fault'
  /** @param what could not be reached, such as `D1` @param pause seconds until a retry may succeed, if known */
  constructor(
    readonly what: string,
    cause: unknown,
    readonly pause?: number,
  ) {
    super(`${what} could not be reached`, { cause })
  }
}

/** A service asks for a pause before the next attempt. */
export class TryLater extends Error {
  override name = 'TryLater'
  /** @param pause seconds */
  constructor(
    message: string,
    readonly pause: number,
  ) {
    super(message)
  }
}

/** A retry of the job cannot succeed. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}

/** The Fault inside an error that a library may have wrapped; null for other errors. */
export function faultIn(thrown: unknown): Fault | null {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error instanceof Fault) return error
  return null
}

/** For a catch block that blames the caller: throws a Fault again. */
export function passFault(thrown: unknown): void {
  const fault = faultIn(thrown)
  if (fault) throw fault
}

export function errorKind<const Code extends string>(status: number, code: Code, message: string): AppErrorKind<Code> {
  const make = (options?: ErrorOptions) => new AppError(status, code, message, options)
  return Object.defineProperties(make, {
    status: { value: status },
    code: { value: code },
    message: { value: message },
  }) as unknown as AppErrorKind<Code>
}

/**
 * A feature's errors: code -> [status, message].
 * @example const errors = catalogue({ INVALID_EMAIL: [400, 'Invalid email'] }); throw errors.INVALID_EMAIL()
 */
export function catalogue<const C extends Record<string, readonly [status: number, message: string]>>(
  entries: C,
): { readonly [K in keyof C & string]: AppErrorKind<K> } {
  return Object.fromEntries(
    Object.entries(entries).map(([code, [status, message]]) => [code, errorKind(status, code, message)]),
  ) as { readonly [K in keyof C & string]: AppErrorKind<K> }
}

/** The protocol's code of a message: upper case, spaces to underscores, other characters than A-Z, 0-9 and _ removed. */
export function codeOf(message: string): string {
  return message
    .toUpperCase()
    .replaceAll(' ', '_')
    .replace(/[^A-Z0-9_]/g, '')
}
