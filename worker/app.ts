import { Hono, type HonoRequest } from 'hono'
import { cors } from 'hono/cors'
import { type EnabledFeature, enabledFeatures } from './features.ts'
import { answerJson, secure } from './http/answer.ts'
import { answerError } from './http/answer-error.ts'
import { readBody, validate, validationError } from './http/body.ts'
import { refuseDisabledPath } from './http/edge/disabled-paths.ts'
import { limitRate } from './http/edge/rate-limit.ts'
import { requireAccess } from './http/edge/require-session.ts'
import { isTrustedOrigin, refuseForeignPost, refuseForeignTargets } from './http/edge/trusted-origin.ts'
import type { Endpoint } from './http/endpoint.ts'
import { httpErrors } from './http/http.errors.ts'
import { type Opening, openScope, type Runtime } from './http/open-scope.ts'
import { mountDevelopmentPages } from './http/pages/development.ts'
import type { Scope } from './identity/scope.ts'
import { basePath } from './identity/settings.ts'
import { days } from './kit/time.ts'
import { canonicalPath } from './kit/urls.ts'
import type { Env } from './platform/env.ts'
import { describeIo, type IoBudget, overBudget } from './platform/io.ts'
import type { Configuration } from './read-config.ts'
import { buildRuntime } from './runtime.ts'

export interface App {
  fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response>
}

interface HonoTypes {
  Bindings: Env
}

/** Builds the whole application, once an isolate: the router, the lifecycle table, the transports. */
export function createApp(configuration: Configuration, env: Env): App {
  const { settings, options } = configuration
  const runtime = buildRuntime(configuration, env)
  const hono = new Hono<HonoTypes>()
  for (const feature of enabledFeatures(options)) mount(hono, feature, runtime)
  if (settings.environment === 'development') mountDevelopmentPages(hono, env)
  hono.notFound((c) =>
    answer({ request: c.req.raw, path: c.req.path, env: c.env, context: c.executionCtx, runtime }, async (scope) => {
      await limitRate(scope, null)
      throw httpErrors.NOT_FOUND()
    }),
  )

  // Apps at the trusted origins call this one with credentials; nobody else's script may read an answer. Only a
  // request that names another origin than our own takes this way round.
  const crossOrigin = new Hono<HonoTypes>()
  crossOrigin.use(
    cors({
      origin: (origin) => (isTrustedOrigin(settings, origin) ? origin : null),
      credentials: true,
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['authorization', 'content-type', 'x-api-key', 'x-captcha-response'],
      exposeHeaders: ['set-auth-token', 'set-auth-jwt', 'x-retry-after', 'x-request-id'],
      maxAge: days(1),
    }),
  )
  crossOrigin.all('*', (c) => hono.fetch(c.req.raw, c.env, c.executionCtx))

  return {
    async fetch(request, bindings, context) {
      const url = new URL(request.url)
      const path = canonicalPath(url.pathname)
      if (path === null) return secure(answerError(httpErrors.NOT_FOUND(), console.log))
      let canonical = request
      if (path !== url.pathname) {
        url.pathname = path
        canonical = new Request(url, request)
      }
      const origin = request.headers.get('origin')
      const router = origin === null || origin === settings.baseUrl ? hono : crossOrigin
      return router.fetch(canonical, bindings, context)
    },
  }
}

/** Mounts a feature's endpoints. Each request walks the same steps, from top to bottom. */
function mount(hono: Hono<HonoTypes>, { routes }: EnabledFeature, runtime: Runtime): void {
  for (const [operation, endpoint] of Object.entries(routes?.contract ?? {})) {
    const handle = routes!.handlers[operation] as (call: unknown) => Promise<unknown>
    const readQuery = queryReader(endpoint)
    const paths = [`${basePath}${endpoint.path}`, ...(endpoint.alsoAt?.(runtime.options) ?? [])]
    hono.on(endpoint.method, paths, (c) => {
      const request = c.req.raw
      const opening = { request, path: c.req.path, env: c.env, context: c.executionCtx, runtime, endpoint }
      return answer(opening, async (scope) => {
        refuseDisabledPath(scope)
        if (!endpoint.foreignPosts) refuseForeignPost(runtime.settings, request)
        await limitRate(scope, endpoint)
        refusePrefetch(request, endpoint)
        const caller = await requireAccess(scope, endpoint.access)
        const params = endpoint.params && validate(endpoint.params, c.req.param(), 'path')
        const query = readQuery(c.req)
        const body = endpoint.body && validate(endpoint.body, await bodyOf(request, endpoint), 'body')
        refuseForeignTargets(runtime.settings, query, body)
        const value = await handle({ scope, caller, params, query, body, request })
        return value instanceof Response ? value : answerJson(value, endpoint.status)
      })
    })
  }
}

/** Validates the query of a request; the empty one, which nearly every one is, only once. */
function queryReader({ query }: Endpoint): (request: HonoRequest) => unknown {
  if (!query) return () => undefined
  let empty: unknown
  return (request) => {
    if (request.url.includes('?')) return validate(query, request.query(), 'query')
    empty ??= validate(query, {}, 'query')
    return empty
  }
}

/** An absent body is an empty one where nothing is required; where a schema asks for more, it says what is missing. */
async function bodyOf(request: Request, endpoint: Endpoint): Promise<unknown> {
  const body = await readBody(request, endpoint.forms ?? false)
  if (body !== undefined) return body
  if (
    endpoint.body!.safeParse({}).success &&
    endpoint.method === 'POST' &&
    request.headers.get('content-type') === null
  ) {
    return {}
  }
  throw validationError('body', [{ path: '', message: 'a JSON object is required' }])
}

/** What opens an address without a person's wish must change nothing: HEAD requests and prefetching browsers. */
function refusePrefetch(request: Request, endpoint: Endpoint): void {
  if (endpoint.method !== 'GET' || endpoint.changes.length === 0) return
  const purpose = request.headers.get('sec-purpose') ?? request.headers.get('purpose') ?? ''
  if (request.method === 'HEAD' || purpose.includes('prefetch')) throw httpErrors.PREFETCH_REFUSED()
}

/** Runs the steps in a scope of their own, turns an error into its answer, and adds what every answer carries. */
async function answer(opening: Opening, steps: (scope: Scope) => Promise<Response>): Promise<Response> {
  const scope = openScope(opening)
  let response: Response
  try {
    response = await steps(scope)
  } catch (thrown) {
    response = answerError(thrown, scope.log)
  }
  if (scope.settings.environment === 'development') showCost(scope, response, opening.endpoint)
  // What the answer waited for is counted; what was put off begins only now.
  scope.answered()
  scope.dress(response)
  return secure(response)
}

/** What the answer cost, and what its endpoint declares, in Server-Timing. */
function showCost(scope: Scope, response: Response, endpoint: Endpoint | undefined): void {
  const budget: IoBudget = endpoint?.budget ?? {}
  response.headers.set('server-timing', describeIo(scope.io, budget))
  const over = overBudget(scope.io, budget)
  if (endpoint && over.length > 0) scope.log('warn', 'over-budget', { path: endpoint.path, kinds: over.join(' ') })
}
