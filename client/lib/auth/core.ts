import { endpoints as generated } from './endpoints.generated.ts'
import { send } from './transport.ts'
import type { AuthError, CallOptions, Result } from './types.ts'
import { createView, type View } from './view.ts'

/** Data that calls change. */
export type Signal = 'session' | 'organizations' | 'activeOrganization' | 'activeMember' | 'passkeys' | 'undelivered'

/** The method of each path, and what a successful call changes. */
const table = new Map<string, ['GET' | 'POST', ...Signal[]]>(
  Object.entries(generated).flatMap(([entry, paths]) =>
    paths.map((path) => [path, entry.split(' ') as ['GET' | 'POST', ...Signal[]]]),
  ),
)

/** The method of a path: of its contract, else the given one, else POST with a body. */
const methodFor = (path: string, hasBody: boolean, asked?: string): string =>
  table.get(path)?.[0] ?? asked?.toUpperCase() ?? (hasBody ? 'POST' : 'GET')

/** What a successful call of a path changes, by its contract. */
function signalsOf(path: string): Set<Signal> {
  const [, ...signals] = table.get(path) ?? ['GET']
  return new Set(signals)
}

export interface ClientOptions {
  /** Returns the URL of the API. */
  baseURL?(): string
  fetch?: typeof fetch
  /** Opens a URL that the server returned. */
  navigate(url: string): void
  /**
   * Called when an operation requires a recent authentication (403 SESSION_IS_NOT_FRESH); `error.methods` names the
   * methods for POST /step-up. After true the request is repeated and the caller gets its response; after false the
   * caller gets this error.
   */
  onSessionNotFresh?(error: AuthError): Promise<boolean>
}

export interface Core<Session> {
  /** The session, for code outside of components. */
  $session: View<Session>
  /** Adds a listener for the data that successful calls change. @returns a function that removes it */
  $onChange(listener: (signals: ReadonlySet<Signal>) => void): () => void
  /** Announces changed data, as a call does. */
  $notify(...signals: Signal[]): void
  /** Calls any path, with or without a type. */
  $fetch<Data = unknown>(path: string, input?: Record<string, unknown>, options?: CallOptions): Promise<Result<Data>>
}

/**
 * A client of the account API. Names are paths: `client.signIn.email({ … })` is POST /sign-in/email,
 * `client.listSessions()` is GET /list-sessions. Every call returns `{ data, error }` and never throws, unless
 * `fetchOptions.throw` asks for it.
 * @param more members in addition to `Core`
 * @template Api the calls by name @template Session the answer of GET /get-session
 */
export function createClient<Api, Session, More extends object>(
  options: ClientOptions,
  more: (core: Core<Session>) => More,
): Api & Core<Session> & More {
  const baseURL = options.baseURL ?? (() => '/api/auth')
  // Looked up for each call: tests and tools replace the global function.
  const request: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)
  const listeners = new Set<(signals: ReadonlySet<Signal>) => void>()

  /** A browser whose proof for a device-bound session got lost makes a new one before its next request. */
  async function sendProved(sent: Parameters<typeof send>[1]): Promise<Result<unknown>> {
    const result = await send(request, sent)
    return result.error?.code === keyRequired ? send(request, sent) : result
  }

  const session = createView<Session>(
    async (fresh) => {
      const url = `${baseURL()}/get-session${fresh ? '?disableCookieCache=true&disableRefresh=true' : ''}`
      return (await sendProved({ url, method: 'GET', body: undefined, options: {} })) as Result<Session>
    },
    { isCached: true },
  )

  // Parallel calls may be rejected at once; they share one check of the session.
  let checking: Promise<void> | null = null
  /** Reads the session past the cookie that caches it, and announces its end. */
  function checkSession(): Promise<void> {
    checking ??= session.refetch(true).then(() => {
      checking = null
      if (!session.get().data) for (const listener of listeners) listener(new Set(['session']))
    })
    return checking
  }

  function notify(...signals: Signal[]) {
    if (signals.length === 0) return
    if (signals.includes('session')) session.invalidate()
    for (const listener of listeners) listener(new Set(signals))
  }

  async function call(path: string, input: Record<string, unknown> = {}, extra: CallOptions = {}) {
    const { query, fetchOptions, ...body } = input
    const merged = { ...(fetchOptions as CallOptions | undefined), ...extra }
    if (query) merged.query = { ...merged.query, ...(query as Record<string, unknown>) }
    const method = methodFor(path, Object.keys(body).length > 0, merged.method)
    const sent = { url: baseURL() + path, method, body, options: merged }
    let result = await sendProved(sent)
    if (isNotFresh(result) && (await options.onSessionNotFresh?.(result.error))) result = await sendProved(sent)
    if (result.error) {
      if (needsSession(result)) await checkSession()
      // The user may have lost the role or the membership, or the organization may have been deleted.
      const { status } = result.error
      if ((status === 400 || status === 403 || status === 404) && signalsOf(path).has('activeOrganization')) {
        notify('activeOrganization')
      }
      if (merged.throw) throw Object.assign(new Error(result.error.message ?? result.error.statusText), result.error)
      return result
    }
    notify(...signalsOf(path))
    follow(result.data)
    return merged.throw ? result.data : result
  }

  function follow(data: unknown) {
    if (!data || typeof data !== 'object') return
    const answer = data as { url?: unknown; redirect?: unknown }
    if (typeof answer.url === 'string' && answer.url && answer.redirect) options.navigate(answer.url)
  }

  const core: Core<Session> = {
    $session: session,
    $onChange(listener: (signals: ReadonlySet<Signal>) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    $notify: notify,
    $fetch: call as Core<Session>['$fetch'],
  }

  return chain([], { ...core, ...more(core) }, call) as Api & Core<Session> & More
}

const keyRequired = 'SESSION_KEY_REQUIRED'

/** Whether a call was rejected because its session has ended. */
const needsSession = ({ error }: Result<unknown>): boolean =>
  error?.status === 401 && (error.code === undefined || withoutSession.has(error.code))

/** Whether a call was rejected because the session was authenticated too long ago. */
const isNotFresh = (result: Result<unknown>): result is { data: null; error: AuthError } =>
  result.error?.status === 403 && result.error.code === 'SESSION_IS_NOT_FRESH'

/** The codes of requests without a session. Other 401 responses concern the body. */
const withoutSession = new Set([
  keyRequired,
  'UNAUTHORIZED',
  'NOT_AUTHENTICATED',
  'UNAUTHORIZED_OR_INVALID_SESSION',
  'YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT',
])

type Caller = (path: string, input?: Record<string, unknown>, options?: CallOptions) => unknown

function chain(names: string[], own: Record<string, unknown>, call: Caller): unknown {
  return new Proxy(() => undefined, {
    get(_target, name) {
      // An awaited or inspected client is not a promise.
      if (typeof name !== 'string' || name === 'then') return undefined
      if (names.length === 0 && Object.hasOwn(own, name)) return own[name]
      return chain([...names, kebab(name)], own, call)
    },
    apply(_target, _self, [input, options]: [Record<string, unknown>?, CallOptions?]) {
      return call(`/${names.join('/')}`, input, options)
    },
  })
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
