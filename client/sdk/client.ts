import type { AccountTypes, AnyAccounts } from '../../worker/kit/account-types.ts'
import { type Core, createClient } from '../lib/auth/core.ts'
import { type LiveChannelOptions, openLiveChannel } from '../lib/auth/live.ts'
import type { AuthError, Calls, Parsed } from '../lib/auth/types.ts'
import { leave } from '../lib/leave.ts'
import { createProver, type DpopOptions } from './dpop.ts'
import type { EndpointsOf } from './endpoints.ts'

export type { LiveChange } from '../lib/auth/live.ts'
export type { AuthError, CallOptions, Result } from '../lib/auth/types.ts'
export type { View, ViewState } from '../lib/auth/view.ts'
export type { DpopKey, DpopOptions, DpopStore } from './dpop.ts'
export type { Endpoints } from './endpoints.ts'

export interface GatehouseClientOptions {
  /**
   * The address of the deployment, such as `https://accounts.example.com`, or of its API behind another path.
   * @default '/api/auth' on the page's own origin
   */
  baseURL?: string
  fetch?: typeof fetch
  /** Returns the bearer token to send, for environments without cookies, such as mobile applications and terminals. */
  token?(): string | null | undefined
  /** Called with each new bearer token (the header `set-auth-token`), for such an environment to store. */
  onToken?(token: string): void
  /**
   * Binds the sessions of this client to a key, with which it signs each request (DPoP, RFC 9449): a copied token is worthless.
   * It begins with the next sign-in. Not in a page, whose sessions are in cookies.
   * @default false
   */
  dpop?: boolean | DpopOptions
  /** Opens an address that the server returned, such as the page of a provider. @default a navigation of the page */
  navigate?(url: string): void
  /**
   * Called when an operation needs a recent authentication (403 SESSION_IS_NOT_FRESH): `error.methods` are those of
   * `client.stepUp`. After true the call is repeated, after false the caller gets the error.
   */
  onSessionNotFresh?(error: AuthError): Promise<boolean>
}

/** The session of the user with the fields of the product; null for a visitor. */
export type SessionAnswer<P extends AccountTypes = AnyAccounts> = Parsed<EndpointsOf<P>['/get-session']['answer']>

/** Names are paths: `client.admin.audit({ query: { limit: 10 } })` is GET /admin/audit?limit=10. */
export type GatehouseClient<P extends AccountTypes = AnyAccounts> = Calls<EndpointsOf<P>> &
  Core<SessionAnswer<P>> &
  Live

interface Live {
  /**
   * Opens a WebSocket that names what changes for the user on any device, in a browser with the cookies of the session.
   * @returns a function that closes it
   */
  $live(options: Omit<LiveChannelOptions, 'baseURL' | 'tab'>): () => void
}

/**
 * A typed client of every endpoint: `client.signIn.email({ email, password })` is POST /sign-in/email. Each call returns
 * `{ data, error }` and never throws, unless `fetchOptions.throw` is set. A response with `redirect` opens its `url`.
 *
 *     import type { Accounts } from '../accounts/src/index.ts'
 *     export const client = createGatehouseClient<Accounts>({ baseURL: 'https://accounts.example.com' })
 *
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function createGatehouseClient<P extends AccountTypes = AnyAccounts>(
  options: GatehouseClientOptions = {},
): GatehouseClient<P> {
  const given = (options.baseURL ?? '/api/auth').replace(/\/$/, '')
  const baseURL = /^https?:\/\/[^/]+$/.test(given) ? `${given}/api/auth` : given
  // A replica may lack a change that the channel names: with the header the primary answers.
  let isLive = false
  const { dpop } = options
  const prover = dpop ? createProver(dpop === true ? {} : dpop) : null
  const attempt: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    const token = options.token?.()
    if (prover) {
      const proof = await prover.headersOf(init?.method ?? 'GET', String(input), token)
      for (const [name, value] of Object.entries(proof)) headers.set(name, value)
    } else if (token) headers.set('authorization', `Bearer ${token}`)
    if (isLive) headers.set('gatehouse-tab', 'live')
    // Looked up for each call: tests and tools replace the global function.
    return (options.fetch ?? fetch)(input, { ...init, headers })
  }
  const request: typeof fetch = async (input, init) => {
    let response = await attempt(input, init)
    if (prover?.corrects(response)) response = await attempt(input, init)
    const renewed = response.headers.get('set-auth-token')
    if (renewed) options.onToken?.(renewed)
    return response
  }
  const { onSessionNotFresh } = options
  return createClient<Calls<EndpointsOf<P>>, SessionAnswer<P>, Live>(
    {
      baseURL: () => baseURL,
      fetch: request,
      navigate: options.navigate ?? ('location' in globalThis ? leave : () => {}),
      ...(onSessionNotFresh ? { onSessionNotFresh: (error) => onSessionNotFresh(error) } : {}),
    },
    () => ({
      $live(given) {
        isLive = true
        return openLiveChannel({ ...given, baseURL })
      },
    }),
  )
}
