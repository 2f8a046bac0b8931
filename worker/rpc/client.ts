import type { AccountTypes, AnyAccounts } from '../kit/account-types.ts'
import { inputOfGetSession, type ServerMethods, type WithProduct } from './methods.ts'
import { operationTable } from './operation-table.ts'
import { detailsOf, type RefusalDetails } from './rpc-answer.ts'

export {
  AccessTokenError,
  type VerifiedAccessToken,
  type VerifyOptions,
  verifyAccessToken,
} from '../features/identity-provider/verify-access-token.ts'
export {
  type CloudflareAccessCaller,
  CloudflareAccessError,
  type CloudflareAccessOptions,
  verifyCloudflareAccess,
} from '../features/social/access-identity/verify-cloudflare-access.ts'
export type { ServerPermission } from '../kit/server-permissions.ts'
export type { Credentials, GetSessionOptions, SessionOfRequest } from './methods.ts'
export type { RefusalDetails, RpcAnswer } from './rpc-answer.ts'

/** The operations of a back end. @template P the product: `Accounts`, the type that its deployment exports */
export type ServerClient<P extends AccountTypes = AnyAccounts> = WithProduct<ServerMethods, P>

/** A client over HTTP. */
export type HttpServerClient<P extends AccountTypes = AnyAccounts> = ServerClient<P> & {
  /**
   * The same client, whose writes have this Idempotency-Key: for a request that your program may repeat, such as a
   * webhook. Each operation of one key needs the same input. Without it every call has a key of its own.
   * @param key 1 to 255 visible ASCII characters, such as the id of the webhook
   */
  withIdempotencyKey(key: string): ServerClient<P>
}

export interface HttpOptions {
  /** The address of Gatehouse, such as `https://accounts.example.com`. */
  url: string
  /** The server key, `gh_sk_...`. */
  key: string
  /** @default the global function */
  fetch?: typeof fetch
  /** How often a call is repeated after a failure that permits it. @default 2 */
  retries?: number
  /** Milliseconds for one request. @default 10000 */
  timeout?: number
  /** Permits `http:` for other hosts than this machine. The key is then readable on the network. @default false */
  allowHttp?: boolean
}

export interface BindingOptions {
  /** The service binding: `env.GATEHOUSE`, with `entrypoint = "ServerApi"`. */
  binding: object
}

/**
 * Gatehouse could not be reached, or failed, or rejected the server key in an operation that has no `{ ok: false }`
 * (getSession, verifyApiKey, validateToken, deleteExpiredApiKeys).
 */
export class ServerApiError extends Error {
  /** Such as `UNAVAILABLE`, `INVALID_SERVER_KEY`; `UNREACHABLE` without an answer of Gatehouse. */
  readonly code: string
  /** The status of the answer; 0 without one. */
  readonly status: number
  /** What the answer says beside its code. */
  readonly details: RefusalDetails

  constructor(
    code: string,
    status: number,
    message: string,
    { details = {}, ...options }: ErrorOptions & { details?: RefusalDetails } = {},
  ) {
    super(message, options)
    this.name = 'ServerApiError'
    this.code = code
    this.status = status
    this.details = details
  }
}

type Name = keyof typeof operationTable

interface Entry {
  path: string
  writes: boolean
  bare?: true
  positional?: readonly string[]
  dates?: readonly string[]
}

const entries = Object.entries(operationTable) as [Name, Entry][]

/**
 * A client of the operations for servers: over HTTP with a server key, in Node, Deno, Bun and Workers; or over a service
 * binding. A refusal is a value, `{ ok: false, code, message, details }`; a failure throws a `ServerApiError`.
 *
 *     const accounts = serverClient({ url: 'https://accounts.example.com', key: process.env.GATEHOUSE_KEY })
 *     const banned = await accounts.banUser({ userId, reason: 'spam' })
 *     if (!banned.ok) console.error(banned.code)
 */
export function serverClient<P extends AccountTypes = AnyAccounts>(options: HttpOptions): HttpServerClient<P>
export function serverClient<P extends AccountTypes = AnyAccounts>(options: BindingOptions): ServerClient<P>
export function serverClient(options: HttpOptions | BindingOptions): object {
  if ('binding' in options) return overBinding(options.binding)
  return overHttp(checked(options), null)
}

function overBinding(binding: object): object {
  const methods = binding as Record<string, (...given: unknown[]) => Promise<unknown>>
  // Not `methods[name]` alone: a method of a binding is called on the binding.
  return Object.fromEntries(entries.map(([name]) => [name, (...given: unknown[]) => methods[name]!(...given)]))
}

/** @throws TypeError for options with which the key would be revealed, or could not be sent */
function checked(options: HttpOptions): Required<Omit<HttpOptions, 'allowHttp'>> {
  const { url, key, retries = 2, timeout = 10_000, allowHttp = false } = options
  if ('document' in globalThis) throw new TypeError('A server key must not be used in a browser.')
  if (!/^gh_sk_[A-Za-z]+$/.test(key ?? '')) throw new TypeError('key: must be a server key, gh_sk_...')
  const { protocol, hostname, origin } = new URL(url)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal && !allowHttp) {
    throw new TypeError('url: must begin with https:, or set allowHttp for a private network')
  }
  // Looked up for each call: tests and tools replace the global function.
  const request: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)
  return { url: origin, key, retries, timeout, fetch: request }
}

type Http = ReturnType<typeof checked>

function overHttp(http: Http, idempotencyKey: string | null): object {
  const methods = Object.fromEntries(
    entries.map(([name, entry]) => [
      name,
      async (...given: unknown[]) => {
        const answer = await send(http, entry, inputOf(name, entry, given), idempotencyKey)
        if (answer.ok) return entry.bare ? answer.result : { ok: true, result: answer.result }
        const { status, ...refusal } = answer
        const { code, message, details = {} } = refusal
        if (entry.bare || status >= 500) throw new ServerApiError(code, status, message, { details })
        return refusal
      },
    ]),
  )
  return { ...methods, withIdempotencyKey: (key: string) => overHttp(http, key) }
}

function inputOf(name: Name, { positional }: Entry, given: unknown[]): unknown {
  if (name === 'getSession') return inputOfGetSession(...(given as Parameters<typeof inputOfGetSession>))
  if (positional) return Object.fromEntries(positional.map((field, at) => [field, given[at]]))
  return given[0] ?? {}
}

type Answer =
  | { ok: true; result: unknown }
  | { ok: false; status: number; code: string; message: string; details?: RefusalDetails }

/** The longest pause that a call waits before a repetition, in ms. */
const maxPause = 5000

/**
 * Sends a call. It is repeated after a fault, a limit or a lost answer: a read has no effect, and a write has one
 * Idempotency-Key for all repetitions. @throws ServerApiError UNREACHABLE
 */
async function send(http: Http, entry: Entry, input: unknown, idempotencyKey: string | null): Promise<Answer> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${http.key}`,
    'content-type': 'application/json',
    ...(entry.writes ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
  }
  const body = JSON.stringify(input)
  for (let left = http.retries; ; left--) {
    let failure: unknown
    let pause = 200 * 2 ** (http.retries - left) * (1 + Math.random())
    try {
      const response = await http.fetch(http.url + entry.path, {
        method: 'POST',
        headers,
        body,
        // Another address must not get the key.
        redirect: 'manual',
        signal: AbortSignal.timeout(http.timeout),
      })
      const retryAfter = Number(response.headers.get('retry-after')) * 1000
      if (retryAfter > 0) pause = retryAfter
      const answer = await read(response, entry)
      if (left <= 0 || pause > maxPause || !mayRepeat(answer)) return answer
    } catch (thrown) {
      failure = thrown
      if (left <= 0)
        throw new ServerApiError('UNREACHABLE', 0, `Gatehouse did not answer at ${http.url}`, { cause: failure })
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

const mayRepeat = (answer: Answer): boolean =>
  !answer.ok && ([429, 502, 503, 504].includes(answer.status) || answer.code === 'IDEMPOTENT_REQUEST_IN_PROGRESS')

async function read(response: Response, entry: Entry): Promise<Answer> {
  const text = await response.text()
  const { status } = response
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // A proxy, or an address that is not Gatehouse.
    return {
      ok: false,
      status: status < 500 ? 502 : status,
      code: 'UNREACHABLE',
      message: `Unexpected answer with status ${status}`,
    }
  }
  if (status === 200) return { ok: true, result: revive(body, new Set(entry.dates ?? [])) }
  const { code, message, ...extra } = Object(body) as Record<string, unknown>
  const pause = response.headers.get('x-retry-after') ?? response.headers.get('retry-after')
  return {
    ok: false,
    status,
    code: String(code ?? 'UNREACHABLE'),
    message: String(message ?? `Status ${status}`),
    ...detailsOf(extra, pause),
  }
}

/** Data of the product, which is returned as it was stored. */
const freeData = new Set(['metadata', 'before', 'after', 'details', 'permissions'])

/** Dates are ISO texts in JSON. */
function revive(value: unknown, dates: ReadonlySet<string>, name = ''): unknown {
  if (typeof value === 'string') return dates.has(name) && isIsoTime(value) ? new Date(value) : value
  if (Array.isArray(value)) return value.map((item) => revive(item, dates))
  if (typeof value !== 'object' || value === null || dates.size === 0) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, freeData.has(key) ? part : revive(part, dates, key)]),
  )
}

const isIsoTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)
