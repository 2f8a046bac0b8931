import type { Scope } from '../identity/scope.ts'
import { hasRequestedLink } from '../identity/verifications/mailed-links.ts'
import { RedirectError } from '../kit/errors.ts'
import { isTrustedOrigin } from './edge/trusted-origin.ts'
import type { AnswerOf } from './endpoint.ts'
import type { LinkEndpoint } from './mailed-link.contract.ts'
import { type LinkPurpose, linkPage } from './pages/link-page.ts'
import { onwardPage } from './pages/onward-page.ts'
import { type Handler, type HandlerCall, redirectTo } from './routes.ts'

/**
 * The one rule of mailed links, for the handlers of all kinds: a GET uses the link in the browser that requested it, and
 * for a program. Mail scanners also send GETs, so that in any other browser a GET shows a page, whose button uses the link.
 * @param purposeOf what the page asks; for a link that cannot be used it throws the error, for one that needs no page it
 *   returns the answer
 */
export const mailedLinkHandler =
  <E extends LinkEndpoint>(
    purposeOf: (call: HandlerCall<E>) => Promise<LinkPurpose | AnswerOf<E> | Response>,
    use: (call: HandlerCall<E>) => ReturnType<Handler<E>>,
  ): Handler<E> =>
  async (call) => {
    const { scope, request } = call
    if (request.method === 'POST') return leadOn(scope, () => use(call))
    const query = call.query as { token: string; browser?: string }
    if (!hasRequestedLink(scope, query) && !isProgram(scope, request.headers)) {
      const purpose = await purposeOf(call)
      return typeof purpose === 'string' ? linkPage(scope, purpose as LinkPurpose, request.url) : purpose
    }
    return use(call)
  }

/** A script of our own or a trusted origin, or a program that asks for JSON: neither follows a link of a mail. */
function isProgram({ settings }: Scope, headers: Headers): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return isTrustedOrigin(settings, origin)
  if (headers.get('sec-fetch-site') === 'same-origin' && headers.get('sec-fetch-mode') !== 'navigate') return true
  const accept = headers.get('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** `form-action` of the page also applies to redirects: another site is opened by a page in between. */
async function leadOn<T>(scope: Scope, use: () => T | Promise<T>): Promise<T | Response> {
  const opened = (location: string) => {
    const { origin } = new URL(location, scope.settings.baseUrl)
    return origin === scope.settings.baseUrl ? redirectTo(location) : onwardPage(scope, location)
  }
  try {
    const answer = await use()
    const location = answer instanceof Response ? answer.headers.get('location') : null
    return location === null ? answer : opened(location)
  } catch (thrown) {
    if (!(thrown instanceof RedirectError)) throw thrown
    return opened(thrown.location)
  }
}
