import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import {
  type Authenticator,
  type AuthenticatorOptions,
  type Caller,
  type Checked,
  createAuthenticator,
  type Rule,
  unavailable,
} from './authenticator.ts'
import { headersFor } from './outgoing.ts'
import type { RequestLike } from './types.ts'

/** What Node frameworks have in common. Their requests are typed by the parts that are read. */
export interface NodeRequest {
  method?: string
  url?: string
  /** The path before a router removed a part of it. */
  originalUrl?: string
  /** `https` behind a proxy that the framework trusts. */
  protocol?: string
  headers: Record<string, string | string[] | undefined>
  socket?: object | null
}

/** A request of Node for the authenticator. */
export function fromNode(request: NodeRequest): RequestLike {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2 has `:path` and others beside the headers.
    if (name.startsWith(':')) continue
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  const encrypted = (request.socket as { encrypted?: boolean } | null | undefined)?.encrypted
  const protocol = request.protocol ?? (encrypted ? 'https' : 'http')
  const host = request.headers[':authority'] ?? request.headers.host
  const path = request.originalUrl ?? request.url ?? '/'
  // A path of `//host` stays a path.
  const base = `${protocol}://${host ?? 'localhost'}`
  return { url: base + (path.startsWith('/') ? path : '/'), method: request.method ?? 'GET', headers }
}

/** The callers of requests, by the request of the framework. */
export interface Callers<P extends AccountTypes = AnyAccounts> {
  /** The caller of a request after `session()` or `protect()`; null for a visitor. */
  findCaller(request: object): Caller<P> | null
  /** The caller of a protected request. @throws TypeError for a request that `protect()` has not let pass */
  callerOf(request: object): Caller<P>
}

/** What every adapter of a Node framework has. @template Handler its middleware or hook */
export interface NodeAuth<Handler, P extends AccountTypes = AnyAccounts> extends Callers<P> {
  /** Identifies the caller of every request: `auth.findCaller(request)`, null for a visitor. */
  session(): Handler
  /** Lets callers pass whom the rule permits: `auth.callerOf(request)` is one of them. */
  protect(rule?: Rule<P>): Handler
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested path */
  signInUrl(request: NodeRequest, returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(request: NodeRequest, returnTo?: string): string
  /**
   * A page of the accounts, such as `organizations/new` or `account/billing`, which leads back.
   * @param returnTo a path of the product. @default the requested path
   */
  pageUrl(request: NodeRequest, page: string, returnTo?: string): string
  authenticator: Authenticator<P>
}

/** How a framework sets headers of its response. */
export interface Outgoing {
  appendCookies(lines: string[]): void
  cacheControl(value: string): void
}

/** The parts of a response of Node that are used. */
export interface NodeResponse {
  statusCode: number
  appendHeader(name: string, value: string | string[]): unknown
  setHeader(name: string, value: string): unknown
  hasHeader(name: string): boolean
  end(body: string): unknown
}

/** The headers of a response of Node. */
export const outgoing = (response: NodeResponse): Outgoing => ({
  appendCookies: (lines) => response.appendHeader('set-cookie', lines),
  cacheControl: (value) => response.hasHeader('cache-control') || response.setHeader('cache-control', value),
})

/** Sends a response as a response of Node. */
export async function send(response: NodeResponse, instead: Response): Promise<void> {
  response.statusCode = instead.status
  for (const [name, value] of instead.headers) {
    if (name === 'set-cookie') response.appendHeader(name, value)
    else response.setHeader(name, value)
  }
  response.end(await instead.text())
}

/**
 * Applies a rule to a request; null identifies only.
 * @param same a request with the same credentials: what is known of it is not asked again
 * @returns a response that ends the request, or null
 */
export type Enter<P extends AccountTypes = AnyAccounts> = (
  request: NodeRequest,
  rule: Rule<P> | null,
  out: Outgoing,
  same?: NodeRequest,
) => Promise<Response | null>

/** @param handlerOf makes the framework's middleware or hook for a rule */
export function nodeAuth<Handler, P extends AccountTypes>(
  options: AuthenticatorOptions,
  handlerOf: (enter: Enter<P>, rule: Rule<P> | null) => Handler,
): NodeAuth<Handler, P> {
  const authenticator = createAuthenticator<P>(options)
  const checks = new WeakMap<object, Checked<P>>()
  const findCaller = (request: object) => checks.get(request)?.caller ?? null

  const enter: Enter<P> = async (given, rule, out, same = given) => {
    const request = fromNode(given)
    const known = checks.get(given) ?? checks.get(same)
    let checked: Checked<P>
    if (rule) {
      const guarded = await authenticator.guard(request, rule, known)
      if (!guarded.allowed) return guarded.response
      checked = guarded
    } else {
      const found =
        known ?? (await authenticator.check(request).catch((thrown: unknown) => unavailable(request, thrown)))
      if (found instanceof Response) return found
      checked = found
    }
    const { setCookies, cacheControl } = headersFor(checked)
    if (setCookies.length > 0) out.appendCookies(setCookies)
    if (cacheControl) out.cacheControl(cacheControl)
    checks.set(given, checked)
    return null
  }

  return {
    session: () => handlerOf(enter, null),
    protect: (rule = {}) => handlerOf(enter, rule),
    findCaller,
    callerOf(request) {
      const caller = findCaller(request)
      if (!caller) throw new TypeError('callerOf: the route has no protect(), or findCaller is meant')
      return caller
    },
    signInUrl: (request, returnTo) => authenticator.signInUrl(fromNode(request), returnTo),
    signOutUrl: (request, returnTo) => authenticator.signOutUrl(fromNode(request), returnTo),
    pageUrl: (request, page, returnTo) => authenticator.pageUrl(fromNode(request), page, returnTo),
    authenticator,
  }
}
