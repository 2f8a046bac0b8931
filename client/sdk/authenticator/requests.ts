import type { AccountTypes } from '../../../worker/kit/account-types.ts'
import {
  type Authenticator,
  type Checked,
  type Guarded,
  type RequestLike,
  type Rule,
  unavailable,
} from './authenticator.ts'
import { headersFor } from './outgoing.ts'

/** What is known of a request. */
interface Known<P extends AccountTypes> {
  /** As the browser sees it. */
  page: RequestLike
  checked: Checked<P>
}

/** The requests of a framework whose middleware sees the response, by an object that each request has once: its locals. */
export interface Requests<P extends AccountTypes> {
  /** Identifies the caller (`locals.caller`, null for a visitor), and sets the cookies of the response. @param next the rest of the request */
  enter(locals: object, page: RequestLike, next: () => Response | Promise<Response>): Promise<Response>
  /** @throws TypeError for a request that `enter` has not seen */
  pageOf(locals: object): RequestLike
  /** Applies a rule, and puts the caller into the locals. @returns a response without cookies, because `enter` sets them: those of the last check */
  guard(locals: object, rule: Rule<P>): Promise<Guarded<P>>
}

export function requestsOf<P extends AccountTypes>(authenticator: Authenticator<P>): Requests<P> {
  const known = new WeakMap<object, Known<P>>()

  function knownOf(locals: object): Known<P> {
    const found = known.get(locals)
    if (!found) throw new TypeError('auth.session() has not seen this request: add it to the middleware')
    return found
  }

  return {
    async enter(locals, page, next) {
      const checked = await authenticator.check(page).catch((thrown: unknown) => unavailable(page, thrown))
      if (checked instanceof Response) return checked
      const own = { page, checked }
      known.set(locals, own)
      Object.assign(locals, { caller: checked.caller })
      const result = await next()
      // The headers of a response of `fetch` cannot be changed.
      const response = new Response(result.body, result)
      const { setCookies, cacheControl } = headersFor(own.checked)
      for (const line of setCookies) response.headers.append('set-cookie', line)
      if (cacheControl && !response.headers.has('cache-control')) response.headers.set('cache-control', cacheControl)
      return response
    },
    pageOf: (locals) => knownOf(locals).page,
    async guard(locals, rule) {
      const own = knownOf(locals)
      const guarded = await authenticator.guard(own.page, rule, own.checked)
      const setCookies = guarded.allowed ? guarded.setCookies : guarded.response.headers.getSetCookie()
      if (guarded.allowed) Object.assign(locals, { caller: guarded.caller })
      else guarded.response.headers.delete('set-cookie')
      if (setCookies.length > 0) own.checked = { ...own.checked, setCookies }
      return guarded
    },
  }
}
