import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { type EnabledFeature, enabledFeatures } from './features.ts'
import { answerError } from './http/answer-error.ts'
import { readBody, validate, validationError } from './http/body.ts'
import { refuseDisabledPath } from './http/edge/disabled-paths.ts'
import { limitRate } from './http/edge/rate-limit.ts'
import { requireAccess } from './http/edge/require-session.ts'
import { isTrustedOrigin, refuseForeignPost, refuseForeignTargets } from './http/edge/trusted-origin.ts'
import type { Endpoint } from './http/endpoint.ts'
import { httpErrors } from './http/http.errors.ts'
import { openScope, type Runtime } from './http/open-scope.ts'
import { mountDevelopmentPages } from './http/pages/development.ts'
import { secure } from './http/security-headers.ts'
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
  /** What scheduled work and RPC methods need to open a scope of their own. */
  runtime: Runtime
}

interface HonoTypes {
  Bindings: Env
  Variables: { scope: Scope }
}

/** Builds the whole application, once an isolate: the router, the lifecycle table, the transports. */
export function createApp(configuration: Configuration, env: Env): App {
  const { settings, options } = configuration
  const features = enabledFeatures(options)
  const runtime = buildRuntime(configuration, env)
  const development = settings.environment === 'development'
  const hono = new Hono<HonoTypes>()

  // Apps at the trusted origins call this one with credentials; nobody else's script may read an answer.
  hono.use(
    `${basePath}/*`,
    cors({
      origin: (origin) => (isTrustedOrigin(settings, origin) ? origin : null),
      credentials: true,
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['authorization', 'content-type', 'x-api-key', 'x-captcha-response'],
      exposeHeaders: ['set-auth-token', 'set-auth-jwt', 'x-retry-after', 'x-request-id'],
      maxAge: days(1),
    }),
  )

  for (const feature of features) mount(hono, feature, runtime, development)
  if (development) mountDevelopmentPages(hono, env)

  hono.notFound(async (c) => {
    const scope = openScope(c.req.raw, c.env, c.executionCtx, runtime)
    return finish(scope, null, development, async () => {
      await limitRate(scope, null)
      throw httpErrors.NOT_FOUND()
    })
  })

  return {
    runtime,
    async fetch(request, bindings, context) {
      const url = new URL(request.url)
      const path = canonicalPath(url.pathname)
      if (path === null) return secure(answerError(httpErrors.NOT_FOUND(), console.log))
      if (path === url.pathname) return hono.fetch(request, bindings, context)
      url.pathname = path
      return hono.fetch(new Request(url, request), bindings, context)
    },
  }
}

/** Mounts a feature's endpoints. Each request walks the same steps, from top to bottom. */
function mount(hono: Hono<HonoTypes>, { routes }: EnabledFeature, runtime: Runtime, development: boolean): void {
  for (const [operation, endpoint] of Object.entries(routes?.contract ?? {})) {
    const handle = routes!.handlers[operation] as (call: unknown) => Promise<unknown>
    hono.on(endpoint.method, `${basePath}${endpoint.path}`, async (c) => {
      const request = c.req.raw
      const scope = openScope(request, c.env, c.executionCtx, runtime, endpoint)
      return finish(scope, endpoint, development, async () => {
        refuseDisabledPath(scope)
        if (!endpoint.foreignPosts) refuseForeignPost(runtime.settings, request)
        await limitRate(scope, endpoint)
        refusePrefetch(request, endpoint)
        const caller = await requireAccess(scope, endpoint.access)
        const params = endpoint.params && validate(endpoint.params, c.req.param(), 'path')
        const query = endpoint.query && validate(endpoint.query, c.req.query(), 'query')
        const body = endpoint.body && validate(endpoint.body, await bodyOf(request, endpoint), 'body')
        refuseForeignTargets(runtime.settings, query, body)
        const answer = await handle({ scope, caller, params, query, body, request })
        return answer instanceof Response ? answer : Response.json(answer ?? null, { status: endpoint.status ?? 200 })
      })
    })
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

/** Runs the steps, turns an error into its answer, and adds what every answer carries. */
async function finish(
  scope: Scope,
  endpoint: Endpoint | null,
  development: boolean,
  steps: () => Promise<Response>,
): Promise<Response> {
  let answer: Response
  try {
    answer = await steps()
  } catch (thrown) {
    answer = answerError(thrown, scope.log)
  }
  // What the answer waited for; what was put off begins only now.
  const spent = { ...scope.io }
  scope.answered()
  const finished = new Response(answer.body, answer)
  for (const line of scope.cookies.lines()) finished.headers.append('set-cookie', line)
  for (const [name, value] of scope.headers) finished.headers.set(name, value)
  finished.headers.set('x-request-id', scope.request.id)
  if (development) {
    const budget: IoBudget = endpoint?.budget ?? {}
    finished.headers.set('server-timing', describeIo(spent, budget))
    const over = overBudget(spent, budget)
    if (endpoint && over.length > 0) scope.log('warn', 'over-budget', { path: endpoint.path, kinds: over.join(' ') })
  }
  return secure(finished)
}
