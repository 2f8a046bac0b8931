import { send } from '../lib/auth/transport.ts'
import type { CallOptions, Calls } from '../lib/auth/types.ts'
import { methods, type OwnEndpoints } from './own-endpoints.ts'

export type { AuthError, CallOptions, Result } from '../lib/auth/types.ts'
export type { OwnEndpoints } from './own-endpoints.ts'

export interface GatehouseClientOptions {
  /** Where the API is, such as `https://accounts.example.com/api/auth`. @default '/api/auth' on the page's own origin */
  baseURL?: string
  fetch?: typeof fetch
  /** The bearer token to send, where there are no cookies: on a phone, in a terminal. */
  token?(): string | null | undefined
}

/** Names are paths: `client.admin.audit({ query: { limit: 10 } })` is GET /admin/audit?limit=10. */
export type GatehouseClient = Calls<OwnEndpoints>

/**
 * A typed client of the endpoints that are Gatehouse's own: what it is configured for, pictures, ways to sign in, the
 * audit log, connected applications, billing. For everything that the protocol specifies (signing up and in, sessions,
 * organizations, passkeys ...) `better-auth/client` is the first choice; this one stands beside it, on the same cookies.
 *
 * Every call answers `{ data, error }` and never throws, unless `fetchOptions.throw` asks for it.
 */
export function createGatehouseClient(options: GatehouseClientOptions = {}): GatehouseClient {
  const baseURL = (options.baseURL ?? '/api/auth').replace(/\/$/, '')
  // Looked up at each call, because tests and tools replace the global one.
  const request: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)

  const callOf =
    (path: string, method: string) =>
    async (input: Record<string, unknown> = {}, extra: CallOptions = {}) => {
      const { query, fetchOptions, ...body } = input
      const merged = { ...(fetchOptions as CallOptions | undefined), ...extra }
      if (query) merged.query = { ...merged.query, ...(query as Record<string, unknown>) }
      merged.headers = withToken(merged.headers, options.token?.())
      const result = await send(request, { url: baseURL + path, method, body, options: merged })
      if (!merged.throw) return result
      if (result.error) throw Object.assign(new Error(result.error.message ?? result.error.statusText), result.error)
      return result.data
    }

  const client: Branch = {}
  for (const [path, method] of Object.entries(methods)) {
    const names = path.slice(1).split('/').map(camel)
    const last = names.pop()!
    let branch = client
    for (const name of names) branch = (branch[name] ??= {}) as Branch
    branch[last] = callOf(path, method)
  }
  return client as unknown as GatehouseClient
}

type Branch = { [name: string]: Branch | ((input?: Record<string, unknown>, options?: CallOptions) => unknown) }

const camel = (text: string) => text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

function withToken(given: CallOptions['headers'], token: string | null | undefined): Headers {
  const headers = new Headers(given)
  if (token) headers.set('authorization', `Bearer ${token}`)
  return headers
}
