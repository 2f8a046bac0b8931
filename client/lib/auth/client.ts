import { methodFor, type Signal, signalsOf } from './signals.ts'
import { send } from './transport.ts'
import type { AnswerOf, AuthCalls, CallOptions, Result } from './types.ts'
import { createView, useView, type View, type Watched } from './view.ts'

export interface AuthClientOptions {
  /** Where the API is. @default '/api/auth' on the page's own origin */
  baseURL?: string
  fetch?: typeof fetch
  /** How the browser is sent to a URL that the server answered. @default a full navigation */
  navigate?(url: string): void
  /** Called when a sign-in asks for the second factor. */
  onTwoFactorRedirect?(): void
}

interface Own {
  useSession(): Watched<NonNullable<AnswerOf<'/get-session'>>>
  useListOrganizations(): Watched<AnswerOf<'/organization/list'>>
  useActiveOrganization(): Watched<NonNullable<AnswerOf<'/organization/get-full-organization'>>>
  useActiveMember(): Watched<NonNullable<AnswerOf<'/organization/get-active-member'>>>
  useListPasskeys(): Watched<AnswerOf<'/passkey/list-user-passkeys'>>
  /** The stores behind the hooks, for code that is not a component. */
  $views: Views
  /** A listener for what successful calls made out of date; answers the function that removes it. */
  $onChange(listener: (signals: ReadonlySet<Signal>) => void): () => void
  /** Says that something is out of date, as a call would have said. */
  $notify(...signals: Signal[]): void
  /** Any path, for those that have no type. */
  $fetch<Data = unknown>(path: string, input?: Record<string, unknown>, options?: CallOptions): Promise<Result<Data>>
}

interface Views {
  session: View<NonNullable<AnswerOf<'/get-session'>>>
  organizations: View<AnswerOf<'/organization/list'>>
  activeOrganization: View<NonNullable<AnswerOf<'/organization/get-full-organization'>>>
  activeMember: View<NonNullable<AnswerOf<'/organization/get-active-member'>>>
  passkeys: View<AnswerOf<'/passkey/list-user-passkeys'>>
}

export type AuthClient = AuthCalls & Own

/**
 * A typed client of the account API. Names are paths: `client.signIn.email({ … })` is POST /sign-in/email,
 * `client.listSessions()` is GET /list-sessions. Every call answers `{ data, error }` and never throws, unless
 * `fetchOptions.throw` asks for it.
 */
export function createAuthClient(options: AuthClientOptions = {}): AuthClient {
  const baseURL = (options.baseURL ?? '/api/auth').replace(/\/$/, '')
  // Looked up at each call, because tests and tools replace the global one.
  const request: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)
  const navigate = options.navigate ?? ((url: string) => window.location.assign(url))
  const listeners = new Set<(signals: ReadonlySet<Signal>) => void>()

  const read = <Data>(path: string) => createView(() => askAsMember<Data>(path))
  const views: Views = {
    session: createView((fresh) => ask(fresh ? '/get-session?disableCookieCache=true' : '/get-session')),
    organizations: read('/organization/list'),
    activeOrganization: read('/organization/get-full-organization'),
    activeMember: read('/organization/get-active-member'),
    passkeys: read('/passkey/list-user-passkeys'),
  }

  // A view's own request: it neither redirects nor signals.
  async function ask<Data>(path: string): Promise<Result<Data>> {
    const sent = { url: baseURL + path, method: 'GET', body: undefined, options: {} }
    return (await send(request, sent)) as Result<Data>
  }

  async function askAsMember<Data>(path: string): Promise<Result<Data>> {
    const result = await ask<Data>(path)
    if (needsSession(result)) await lookForSession()
    return result
  }

  // Many calls may be refused at once; the session is looked for once.
  let looking: Promise<void> | null = null
  /** Whether the session is still there, asked past the cookie that caches it. Others hear of it when it is not. */
  function lookForSession(): Promise<void> {
    looking ??= views.session.refetch(true).then(() => {
      looking = null
      if (!views.session.get().data) for (const listener of listeners) listener(new Set(['session']))
    })
    return looking
  }

  function notify(...signals: Signal[]) {
    if (signals.length === 0) return
    for (const signal of signals) views[signal].invalidate()
    for (const listener of listeners) listener(new Set(signals))
  }

  async function call(path: string, input: Record<string, unknown> = {}, extra: CallOptions = {}) {
    const { query, fetchOptions, ...body } = input
    const merged = { ...(fetchOptions as CallOptions | undefined), ...extra }
    if (query) merged.query = { ...merged.query, ...(query as Record<string, unknown>) }
    const method = methodFor(path, Object.keys(body).length > 0, merged.method)
    const result = await send(request, { url: baseURL + path, method, body, options: merged })
    if (result.error) {
      if (needsSession(result)) await lookForSession()
      if (merged.throw) throw Object.assign(new Error(result.error.message ?? result.error.statusText), result.error)
      return result
    }
    notify(...signalsOf(path))
    follow(result.data)
    return merged.throw ? result.data : result
  }

  function follow(data: unknown) {
    if (!data || typeof data !== 'object') return
    const answer = data as { url?: unknown; redirect?: unknown; twoFactorRedirect?: unknown }
    if (answer.twoFactorRedirect) options.onTwoFactorRedirect?.()
    if (typeof answer.url === 'string' && answer.url && answer.redirect) navigate(answer.url)
  }

  const own = {
    useSession: () => useView(views.session),
    useListOrganizations: () => useView(views.organizations),
    useActiveOrganization: () => useView(views.activeOrganization),
    useActiveMember: () => useView(views.activeMember),
    useListPasskeys: () => useView(views.passkeys),
    $views: views,
    $onChange(listener: (signals: ReadonlySet<Signal>) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    $notify: notify,
    $fetch: call,
  }

  return chain([], own, call) as AuthClient
}

/** The answer to a session that has ended, which may have been one until a moment ago. */
const needsSession = ({ error }: Result<unknown>): boolean =>
  error?.status === 401 && (error.code === undefined || withoutSession.has(error.code))

/** What endpoints that ask for a session say without one. Other 401s are about what was sent. */
const withoutSession = new Set([
  'UNAUTHORIZED',
  'NOT_AUTHENTICATED',
  'UNAUTHORIZED_OR_INVALID_SESSION',
  'YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT',
])

type Caller = (path: string, input?: Record<string, unknown>, options?: CallOptions) => unknown

function chain(names: string[], own: Record<string, unknown>, call: Caller): unknown {
  return new Proxy(() => undefined, {
    get(_target, name) {
      // A client that is awaited or inspected by mistake must not look like a promise.
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
