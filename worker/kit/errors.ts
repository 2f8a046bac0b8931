/**
 * The three families of errors. A feature lists its own in a catalogue (`*.errors.ts`); `http/answer-error.ts`
 * is the one place where an error becomes a response.
 */

/** What a thrower may add: `detail` goes to the log only, `extra` into the body, `headers` onto the answer. */
export interface ErrorOptions {
  detail?: string
  extra?: Record<string, unknown>
  headers?: Record<string, string>
}

/** An answer of the API that is not a success: `{ code, message }` with its status. */
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

/** A hook of the product's own has refused: its words reach the caller as they are, also by way of a redirect. */
export class HookRefusal extends AppError {}

/** What the OpenAPI document says of an error. */
export interface ErrorKind {
  readonly status: number
  readonly code: string
  readonly message: string
  /** How it is rendered, where that is not `{ code, message }`. */
  readonly form?: 'oauth' | 'json-rpc'
}

/** Makes one AppError of its kind; also says what it would be. */
export interface AppErrorKind extends ErrorKind {
  (options?: ErrorOptions): AppError
}

/** A browser is sent to `location`, which already carries the error (see `withError` in kit/urls.ts). */
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

/**
 * Something that a request needs could not be reached, or did not answer in time: a binding of ours or a service
 * outside. Nobody has done anything wrong, and trying again may help: it is answered with 503 and Retry-After.
 */
export class Fault extends Error {
  override name = 'Fault'
  /** @param what could not be reached, such as `D1` */
  constructor(
    readonly what: string,
    cause: unknown,
  ) {
    super(`${what} could not be reached`, { cause })
  }
}

/** A service asks for a pause before the next try. */
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

/** The fault behind an error that a library may have wrapped; null where it is something else. */
export function faultIn(thrown: unknown): Fault | null {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error instanceof Fault) return error
  return null
}

/** For a catch block that finds fault with what the caller sent: a fault of ours or of others passes it by. */
export function passFault(thrown: unknown): void {
  const fault = faultIn(thrown)
  if (fault) throw fault
}

export function errorKind(status: number, code: string, message: string): AppErrorKind {
  const make = (options?: ErrorOptions) => new AppError(status, code, message, options)
  return Object.defineProperties(make, {
    status: { value: status },
    code: { value: code },
    message: { value: message },
  }) as unknown as AppErrorKind
}

/**
 * A feature's errors: code -> [status, message].
 * @example const errors = catalogue({ INVALID_EMAIL: [400, 'Invalid email'] }); throw errors.INVALID_EMAIL()
 */
export function catalogue<const C extends Record<string, readonly [status: number, message: string]>>(
  entries: C,
): { readonly [K in keyof C]: AppErrorKind } {
  return Object.fromEntries(
    Object.entries(entries).map(([code, [status, message]]) => [code, errorKind(status, code, message)]),
  ) as { readonly [K in keyof C]: AppErrorKind }
}

/** The protocol's code of a message: upper case, spaces to underscores, all else outside A-Z, 0-9 and _ dropped. */
export function codeOf(message: string): string {
  return message
    .toUpperCase()
    .replaceAll(' ', '_')
    .replace(/[^A-Z0-9_]/g, '')
}
