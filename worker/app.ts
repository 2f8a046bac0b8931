import { type Context, Hono, type HonoRequest } from 'hono'
import { cors } from 'hono/cors'
import { keyHeadersOf } from './features/api-key/api-key.config.ts'
import { enabledFeatures } from './features.ts'
import { answerJson, secure } from './http/answer.ts'
import { answerError } from './http/answer-error.ts'
import { readBody, readText, validate, validationError, webhookBytes } from './http/body.ts'
import { answerRequest } from './http/edge/answer-request.ts'
import { refuseDisabledPath } from './http/edge/disabled-paths.ts'
import { limitRate } from './http/edge/rate-limit.ts'
import { isPartyAccess, partyCheckOf, requireAccess, requireOwnSessionFor } from './http/edge/require-access.ts'
import { isTrustedOrigin, refuseForeignPost, refuseForeignTargets, tellWhatToAdd } from './http/edge/trusted-origin.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { Feature } from './http/feature.ts'
import { httpErrors } from './http/http.errors.ts'
import type { Runtime } from './http/open-scope.ts'
import { appPage } from './http/pages/app-page.ts'
import { mountDevelopmentPages } from './http/pages/development.ts'
import type { Call, ReadingHandler } from './http/routes.ts'
import type { Scope } from './identity/scope.ts'
import { basePath } from './identity/settings.ts'
import { days } from './kit/time.ts'
import { canonicalPath } from './kit/urls.ts'
import { pageParts } from './page-parts.ts'
import type { Env } from './platform/env.ts'
import { logger } from './platform/log.ts'

export interface App {
  fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response>
}

interface HonoTypes {
  Bindings: Env
}

/** Builds the whole application, once an isolate: the router over what its requests share. */
export function createApp(runtime: Runtime, env: Env): App {
  const { settings, options } = runtime
  const https = settings.baseUrl.startsWith('https:')
  const hono = new Hono<HonoTypes>()
  const features = enabledFeatures(options)
  for (const feature of features) mount(hono, feature, runtime)
  if (settings.environment === 'development') mountDevelopmentPages(hono, env)
  hono.notFound((c) =>
    answerRequest(
      { request: c.req.raw, path: c.req.path, env: c.env, context: c.executionCtx, runtime },
      async (scope) => {
        const asks = c.req.method === 'GET' || c.req.method === 'HEAD'
        if (asks && !isServed(c.req.path))
          return appPage(scope, c.req.path, () => pageParts(scope, c.req.url, features))
        await limitRate(scope, null)
        throw httpErrors.NOT_FOUND()
      },
    ),
  )

  // Apps at the trusted origins call this one with credentials; nobody else's script may read an answer. Only a
  // request that names another origin than our own takes this way round.
  const crossOrigin = new Hono<HonoTypes>()
  const pass = (c: Context<HonoTypes>) => hono.fetch(c.req.raw, c.env, c.executionCtx)
  for (const path of openPaths(enabledFeatures(options), options)) crossOrigin.use(path, openToAll).all(path, pass)
  crossOrigin.use(
    cors({
      origin(origin, c) {
        if (isTrustedOrigin(settings, origin)) return origin
        // A POST is refused later, and tells it then.
        if (c.req.method !== 'POST') tellWhatToAdd(settings, logger(''), origin)
        return null
      },
      credentials: true,
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['authorization', 'content-type', ...keyHeadersOf(runtime), 'x-captcha-response'],
      exposeHeaders: ['set-auth-token', 'set-auth-jwt', 'x-retry-after', 'x-request-id'],
      maxAge: days(1),
    }),
  )
  crossOrigin.all('*', pass)

  return {
    async fetch(request, bindings, context) {
      const url = new URL(request.url)
      const path = canonicalPath(url.pathname)
      if (path === null) return secure(answerError(httpErrors.NOT_FOUND(), logger('')), https)
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

/** Where an endpoint is mounted. */
const pathsOf = ({ path, alsoAt }: Endpoint, options: Runtime['options']): string[] => [
  `${basePath}${path}`,
  ...(alsoAt?.(options) ?? []),
]

/** What any site's script may call, without cookies: the protocols of others, and documents for everybody. */
const openPaths = (features: readonly Feature[], options: Runtime['options']): string[] =>
  features
    .flatMap(({ routes }) => Object.values(routes?.contract ?? {}))
    .flatMap((endpoint) => (endpoint.anyOrigin ? pathsOf(endpoint, options) : []))

const openToAll = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  allowHeaders: ['Content-Type', 'Authorization', 'DPoP', 'MCP-Protocol-Version'],
  exposeHeaders: ['WWW-Authenticate', 'X-Request-Id'],
  maxAge: days(1),
})

/** Addresses below which the app has no screens. */
const isServed = (path: string) => /^\/(?:api|\.well-known|dev)(?:\/|$)/.test(path)

/** Mounts a feature's endpoints. Each request walks the same steps, from top to bottom. */
function mount(hono: Hono<HonoTypes>, { routes }: Feature, runtime: Runtime): void {
  if (!routes) return
  for (const [operation, endpoint] of Object.entries(routes.contract)) {
    const handler = routes.handlers[operation]!
    const readQuery = queryReader(endpoint)
    const check = isPartyAccess(endpoint.access) ? partyCheckOf(endpoint.access, routes.checks, endpoint.path) : null
    hono.on(endpoint.method, pathsOf(endpoint, runtime.options), (c) => {
      const request = c.req.raw
      const opening = { request, path: c.req.path, env: c.env, context: c.executionCtx, runtime, endpoint }
      return answerRequest(opening, async (scope) => {
        refuseDisabledPath(scope)
        if (!endpoint.foreignPosts) refuseForeignPost(scope, request)
        await limitRate(scope, endpoint)
        for (const guard of scope.lifecycle.guarding) await guard(scope)
        refusePrefetch(request, endpoint)
        const readAddress = () => {
          const params = endpoint.params && validate(endpoint.params, c.req.param(), 'path')
          const query = readQuery(c.req)
          return { params, query }
        }
        const readInput = async () => ({
          ...readAddress(),
          body: endpoint.body && validate(endpoint.body, await bodyOf(request, endpoint), 'body'),
        })
        if (typeof handler !== 'function') return read(scope, endpoint, handler, readInput, request)
        const caller = await requireAccess(scope, endpoint)
        const { params, query } = readAddress()
        const raw = endpoint.raw
          ? await readText(request, endpoint.access === 'webhook' ? webhookBytes : undefined)
          : ''
        const body = endpoint.body && validate(endpoint.body, await bodyOf(request, endpoint), 'body')
        refuseForeignTargets(scope, query, body)
        await requireOwnSessionFor(scope, endpoint, query, body)
        const party = await check?.(scope, { request, body, raw })
        const call = { scope, caller, party, params, query, body, raw, request }
        return present(await handler(call as unknown as Call<Endpoint>), endpoint)
      })
    })
  }
}

const present = (value: unknown, endpoint: Endpoint): Response =>
  value instanceof Response ? value : answerJson(value, endpoint.status)

/** What a caller reads of their own: who they are and the answer, in one round trip. */
async function read(
  scope: Scope,
  endpoint: Endpoint,
  { statements, answer }: ReadingHandler<Endpoint>,
  readInput: () => Promise<{ params: unknown; query: unknown; body: unknown }>,
  request: Request,
): Promise<Response> {
  let input: Awaited<ReturnType<typeof readInput>>
  try {
    input = await readInput()
    refuseForeignTargets(scope, input.query, input.body)
  } catch (thrown) {
    // Who may not ask learns nothing about what they asked.
    await requireAccess(scope, endpoint)
    throw thrown
  }
  const asked = { scope, ...input, request }
  let results: unknown[] = []
  const caller = await requireAccess(scope, endpoint, async () => {
    const found = await scope.callerWith((own) => statements({ ...asked, own } as never))
    if (found) results = found.results
    return found?.caller ?? null
  })
  return present(await answer({ ...asked, caller } as never, results as never), endpoint)
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

/** How browsers, mail programs and messengers say that they only look ahead. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** What opens an address without a person's wish must change nothing: HEAD requests and prefetching browsers. */
function refusePrefetch(request: Request, endpoint: Endpoint): void {
  if (endpoint.method !== 'GET' || endpoint.changes.length === 0) return
  const purpose = purposeHeaders.map((name) => request.headers.get(name) ?? '').join(' ')
  if (request.method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose)) throw httpErrors.PREFETCH_REFUSED()
}
