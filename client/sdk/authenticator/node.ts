import type { AnyFields, FieldDefinitions } from '../../../worker/kit/field-types.ts'
import { type Authenticator, type Caller, type Checked, type Rule, unavailable } from './authenticator.ts'
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
export interface Callers<F extends FieldDefinitions = AnyFields> {
  /** The caller of a request after `session()` or `protect()`; null for a visitor. */
  findCaller(request: object): Caller<F> | null
  /** The caller of a protected request. @throws TypeError for a request that `protect()` has not let pass */
  callerOf(request: object): Caller<F>
}

/** What the hooks of a framework do. @returns a response that ends the request, or null */
export interface Steps<F extends FieldDefinitions = AnyFields> extends Callers<F> {
  /** @param rule null identifies only */
  enter(key: object, request: NodeRequest, rule: Rule | null, out: Outgoing): Promise<Response | null>
}

/** How a framework sets headers of its response. */
export interface Outgoing {
  appendCookies(lines: string[]): void
  cacheControl(value: string): void
}

export function stepsOf<F extends FieldDefinitions>(auth: Authenticator<F>): Steps<F> {
  const checks = new WeakMap<object, Checked<F>>()
  const findCaller = (request: object) => checks.get(request)?.caller ?? null
  return {
    findCaller,
    callerOf(request) {
      const caller = findCaller(request)
      if (!caller) throw new TypeError('callerOf: the route has no protect(), or findCaller is meant')
      return caller
    },
    async enter(key, given, rule, out) {
      const request = fromNode(given)
      let checked: Checked<F>
      if (rule) {
        const guarded = await auth.guard(request, rule, checks.get(key))
        if (!guarded.allowed) return guarded.response
        checked = guarded
      } else {
        const found = await auth.check(request).catch((thrown: unknown) => unavailable(request, thrown))
        if (found instanceof Response) return found
        checked = found
      }
      const { setCookies, cacheControl } = headersFor(checked)
      if (setCookies.length > 0) out.appendCookies(setCookies)
      if (cacheControl) out.cacheControl(cacheControl)
      checks.set(key, checked)
      return null
    },
  }
}
