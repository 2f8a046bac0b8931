import type { Scope } from '../../identity/scope.ts'
import { describeIo, overBudget, sumOf } from '../../platform/io.ts'
import { answerJson, secure } from '../answer.ts'
import { answerError } from '../answer-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Opening, openScope } from '../open-scope.ts'
import { errorPage } from '../pages/error-page.ts'
import { redirectTo } from '../routes.ts'

/** Runs the steps in a scope of their own, turns an error into its answer, and adds what every answer carries. */
export async function answerRequest(opening: Opening, steps: (scope: Scope) => Promise<Response>): Promise<Response> {
  const scope = openScope(opening)
  let response: Response
  try {
    response = await steps(scope)
    if (scope.continueAt && response.status < 400) response = continueInstead(opening.request, scope.continueAt)
  } catch (thrown) {
    response = answerFailure(scope, opening.request, thrown)
  }
  if (scope.settings.environment === 'development') showCost(scope, response, opening.endpoint)
  // What the answer waited for is counted; what was put off begins only now.
  scope.answered()
  scope.dress(response)
  if (opening.endpoint?.anyOrigin) response.headers.set('access-control-allow-origin', '*')
  return secure(response, scope.settings.baseUrl.startsWith('https:'))
}

/** A sign-in that something waited for leads there; scripts are told where to, and follow. */
const continueInstead = (request: Request, url: string): Response =>
  request.headers.get('sec-fetch-mode') === 'cors' ? answerJson({ redirect: true, url }) : redirectTo(url)

/**
 * An error's answer. It hands out no session, and after a fault none of what was meant to be told to the browser:
 * nobody knows what is stored. Whoever follows a link in a browser gets a page.
 */
function answerFailure(scope: Scope, request: Request, thrown: unknown): Response {
  const failure = answerError(thrown, scope.log)
  if (scope.signedIn || failure.status >= 500) {
    scope.cookies.withdraw()
    scope.headers.delete('set-auth-token')
  }
  if (failure.status < 500 || request.headers.get('sec-fetch-mode') !== 'navigate') return failure
  const shown = errorPage(scope, 'internal_server_error', failure.status)
  const retryAfter = failure.headers.get('retry-after')
  if (retryAfter !== null) shown.headers.set('retry-after', retryAfter)
  return shown
}

/** What the answer cost, and what its endpoint declares, in Server-Timing. */
function showCost(scope: Scope, response: Response, endpoint: Endpoint | undefined): void {
  const budget = sumOf(endpoint?.budget ?? {}, scope.allowed)
  response.headers.set('server-timing', describeIo(scope.io, budget))
  const over = overBudget(scope.io, budget)
  if (endpoint && over.length > 0) scope.log('warn', 'over-budget', { path: endpoint.path, kinds: over.join(' ') })
}
