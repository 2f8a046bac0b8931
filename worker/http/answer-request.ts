import type { Scope } from '../identity/scope.ts'
import { signInOutcome } from '../identity/sign-in/outcome.ts'
import { AppError, faultIn, HookRefusal, OAuthError } from '../kit/errors.ts'
import { loadLanguage } from '../languages/texts.ts'
import { DatabaseFull } from '../platform/database-size.ts'
import { describeIo, overBudget, sumOf } from '../platform/io.ts'
import { reasonOf } from '../platform/log.ts'
import { answerError } from './answer-error.ts'
import { developmentHint } from './development-hint.ts'
import { type Endpoint, isOpenedInBrowser } from './endpoint.ts'
import { answerJson, secure } from './json-response.ts'
import { NotLoaded } from './load-features.ts'
import { observe } from './observe.ts'
import { type Opening, openScope } from './open-scope.ts'
import { redirectTo } from './routes.ts'

/** Runs the steps in a new scope, turns an error into its response and adds the common headers. */
export async function answerRequest(opening: Opening, steps: (scope: Scope) => Promise<Response>): Promise<Response> {
  const scope = openScope(opening)
  const begun = Date.now()
  let response: Response
  let outcome: string | undefined
  try {
    response = await steps(scope)
    const { continueAt } = signInOutcome(scope)
    if (continueAt && response.status < 400) response = await continueInstead(scope, opening, continueAt)
  } catch (thrown) {
    const loading = missingIn(opening, thrown)
    if (loading) {
      scope.log('warn', 'loaded-late', { path: opening.path, reason: reasonOf(thrown) })
      await loading
      return answerRequest(opening, steps)
    }
    const hint = developmentHint(thrown, scope.settings, opening.request.headers)
    response = await answerFailure(scope, opening, thrown, hint)
    if (response.status >= 400) {
      outcome = outcomeOf(thrown)
      if (opening.env.ERROR_LOG) {
        const { reportError } = await import('./report-error.ts')
        reportError(scope, opening, thrown, response.status, hint)
      }
    }
  }
  if (scope.settings.environment === 'development') showCost(scope, response, opening.endpoint)
  if (opening.endpoint) {
    outcome ??= response.status >= 400 ? 'refused' : signInOutcome(scope).isSignedIn ? 'signed-in' : 'ok'
    observe(scope, opening.endpoint, { status: response.status, outcome, duration: Date.now() - begun })
  }
  // Deferred work starts after the I/O of the response has been counted.
  scope.answered(response)
  if (opening.endpoint?.origins?.any) response.headers.set('access-control-allow-origin', '*')
  return secure(response, scope.settings.baseUrl.startsWith('https:'))
}

/**
 * A read that uses more than its endpoint declares is answered again, once everything is loaded: it has changed nothing.
 */
function missingIn({ request, runtime: { loader } }: Opening, thrown: unknown): Promise<unknown> | null {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return thrown instanceof NotLoaded && isRead ? loader.load('all') : null
}

/** Redirects after a sign-in that continues another flow. Scripts get the URL in the body and follow it. */
async function continueInstead(scope: Scope, { request, endpoint }: Opening, url: string): Promise<Response> {
  if (request.headers.get('sec-fetch-mode') === 'cors') return answerJson({ redirect: true, url })
  // The other flow may end at another site, to which a form of ours must not lead by redirects.
  if (!endpoint?.mailedLink || request.method !== 'POST') return redirectTo(url)
  const { onwardPage } = await import('./pages/onward-page.ts')
  return onwardPage(scope, url)
}

/**
 * The response for an error. It sets no session cookies. After a fault it sets no cookies, because the stored state is
 * unknown. A browser that opened an address for browsers gets a page, unless a hook rejected the request with a
 * message.
 */
async function answerFailure(
  scope: Scope,
  { request, endpoint }: Opening,
  thrown: unknown,
  hint: string | null,
): Promise<Response> {
  const failure = answerError(thrown, scope.log, endpoint?.access === 'directory' ? 'scim' : undefined, hint)
  if (signInOutcome(scope).isSignedIn || failure.status >= 500) {
    scope.response.cookies.withdraw()
    scope.response.headers.delete('set-auth-token')
  }
  const isShown = endpoint ? isOpenedInBrowser(endpoint) && !(thrown instanceof HookRefusal) : failure.status >= 500
  if (failure.status < 400 || !isShown || request.headers.get('sec-fetch-mode') !== 'navigate') return failure
  const [{ errorPage }] = await Promise.all([import('./pages/error-page.ts'), loadLanguage(scope.language)])
  const shown = errorPage(scope, codeOf(thrown).toLowerCase(), failure.status, hint)
  for (const name of ['retry-after', 'x-retry-after']) {
    const value = failure.headers.get(name)
    if (value !== null) shown.headers.set(name, value)
  }
  return shown
}

const codeOf = (thrown: unknown): string => (thrown instanceof AppError ? thrown.code : 'INTERNAL_SERVER_ERROR')

/** A code of ours or of a protocol. The code of a hook is text of the product. */
function outcomeOf(thrown: unknown): string {
  if (thrown instanceof HookRefusal) return 'HOOK_REFUSED'
  if (thrown instanceof OAuthError) return thrown.error
  const fault = faultIn(thrown)
  if (fault) return fault instanceof DatabaseFull ? 'DATABASE_ALMOST_FULL' : 'UNAVAILABLE'
  return codeOf(thrown)
}

/** Adds the I/O of the response and the endpoint's budget to Server-Timing. */
function showCost(scope: Scope, response: Response, endpoint: Endpoint | undefined): void {
  const budget = sumOf(endpoint?.budget ?? {}, scope.io.declared)
  response.headers.set('server-timing', describeIo(scope.io.used, budget))
  const over = overBudget(scope.io.used, budget)
  if (endpoint && over.length > 0) scope.log('warn', 'over-budget', { path: endpoint.path, kinds: over.join(' ') })
}
