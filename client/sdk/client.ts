import type { AnyProduct, Product, WithFields } from '../../worker/kit/product.ts'
import { type LiveChannelOptions, openLiveChannel } from '../lib/auth/live.ts'
import { send } from '../lib/auth/transport.ts'
import type { CallOptions, Calls } from '../lib/auth/types.ts'
import { methods, type OwnEndpoints } from './own-endpoints.ts'

export type { LiveChange } from '../lib/auth/live.ts'
export type { AuthError, CallOptions, Result } from '../lib/auth/types.ts'
export type { OwnEndpoints } from './own-endpoints.ts'

export interface GatehouseClientOptions {
  /**
   * The URL of the API, such as `https://accounts.example.com/api/auth`.
   * @default '/api/auth' on the page's own origin
   */
  baseURL?: string
  fetch?: typeof fetch
  /** Returns the bearer token to send, for environments without cookies, such as mobile applications and terminals. */
  token?(): string | null | undefined
}

/** Names are paths: `client.admin.audit({ query: { limit: 10 } })` is GET /admin/audit?limit=10. */
export type GatehouseClient<P extends Product = AnyProduct> = Calls<{
  [Path in keyof OwnEndpoints]: Omit<OwnEndpoints[Path], 'answer'> & {
    answer: WithFields<OwnEndpoints[Path]['answer'], P>
  }
}> & {
  /**
   * Opens a WebSocket that names what changes for the user on any device, in a browser with the cookies of the session.
   * @returns a function that closes it
   */
  $live(options: Pick<LiveChannelOptions, 'onChange' | 'onEnd'>): () => void
}

/**
 * A typed client of the endpoints that are specific to Gatehouse: configuration, pictures, ways to sign in, audit log,
 * connected applications, billing. For the endpoints of the protocol (sign-up, sign-in, sessions, organizations,
 * passkeys ...) use `better-auth/client`; both share the cookies. Every call returns `{ data, error }` and never
 * throws, unless `fetchOptions.throw` is set.
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function createGatehouseClient<P extends Product = AnyProduct>(
  options: GatehouseClientOptions = {},
): GatehouseClient<P> {
  const baseURL = (options.baseURL ?? '/api/auth').replace(/\/$/, '')
  // A replica may lack a change that the channel names: with the header the primary answers.
  let isLive = false
  // Looked up for each call: tests and tools replace the global function.
  const request: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)

  const callOf =
    (path: string, method: string) =>
    async (input: Record<string, unknown> = {}, extra: CallOptions = {}) => {
      const { query, fetchOptions, ...body } = input
      const merged = { ...(fetchOptions as CallOptions | undefined), ...extra }
      if (query) merged.query = { ...merged.query, ...(query as Record<string, unknown>) }
      const headers = withToken(merged.headers, options.token?.())
      if (isLive) headers.set('gatehouse-tab', 'live')
      merged.headers = headers
      const result = await send(request, { url: baseURL + path, method, body, options: merged })
      if (!merged.throw) return result
      if (result.error) throw Object.assign(new Error(result.error.message ?? result.error.statusText), result.error)
      return result.data
    }

  const client: Branch = {
    $live: (options) => {
      isLive = true
      return openLiveChannel({ ...(options as unknown as LiveChannelOptions), baseURL })
    },
  }
  for (const [path, method] of Object.entries(methods)) {
    const names = path.slice(1).split('/').map(camel)
    const last = names.pop()!
    let branch = client
    for (const name of names) branch = (branch[name] ??= {}) as Branch
    branch[last] = callOf(path, method)
  }
  return client as unknown as GatehouseClient<P>
}

type Branch = { [name: string]: Branch | ((input?: Record<string, unknown>, options?: CallOptions) => unknown) }

const camel = (text: string) => text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

function withToken(given: CallOptions['headers'], token: string | null | undefined): Headers {
  const headers = new Headers(given)
  if (token) headers.set('authorization', `Bearer ${token}`)
  return headers
}
