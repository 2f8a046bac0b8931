import type { Scope } from '../../identity/scope.ts'
import { AppError, HookRefusal } from '../../kit/errors.ts'
import { describeIo, overBudget, sumOf } from '../../platform/io.ts'
import { answerJson, secure } from '../answer.ts'
import { answerError } from '../answer-error.ts'
import { type Endpoint, isOpenedInBrowser } from '../endpoint.ts'
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
    response = answerFailure(scope, opening, thrown)
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
 * nobody knows what is stored. Whoever has opened one of the addresses for browsers gets a page, unless a hook of the
 * product's own has said why not in words of its own.
 */
function answerFailure(scope: Scope, { request, endpoint }: Opening, thrown: unknown): Response {
  const failure = answerError(thrown, scope.log)
  if (scope.signedIn || failure.status >= 500) {
    scope.cookies.withdraw()
    scope.headers.delete('set-auth-token')
  }
  const isShown = endpoint ? isOpenedInBrowser(endpoint) && !(thrown instanceof HookRefusal) : failure.status >= 500
  if (failure.status < 400 || !isShown || request.headers.get('sec-fetch-mode') !== 'navigate') return failure
  const code = thrown instanceof AppError ? thrown.code.toLowerCase() : 'internal_server_error'
  const shown = errorPage(scope, code, failure.status)
  for (const name of ['retry-after', 'x-retry-after']) {
    const value = failure.headers.get(name)
    if (value !== null) shown.headers.set(name, value)
  }
  return shown
}

/** What the answer cost, and what its endpoint declares, in Server-Timing. */
function showCost(scope: Scope, response: Response, endpoint: Endpoint | undefined): void {
  const budget = sumOf(endpoint?.budget ?? {}, scope.allowed)
  response.headers.set('server-timing', describeIo(scope.io, budget))
  const over = overBudget(scope.io, budget)
  if (endpoint && over.length > 0) scope.log('warn', 'over-budget', { path: endpoint.path, kinds: over.join(' ') })
}
