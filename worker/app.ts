import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { HonoRequest } from 'hono/request'
import { answerCall, routeOf } from './http/answer-call.ts'
import { answerError } from './http/answer-error.ts'
import { answerRequest } from './http/answer-request.ts'
import { limitRate } from './http/edge/rate-limit.ts'
import { isTrustedOrigin, logMissingOrigin } from './http/edge/trusted-origin.ts'
import type { Contract, Endpoint } from './http/endpoint.ts'
import { allRoutesOf, contractOf, type Feature } from './http/feature.ts'
import { httpErrors } from './http/http.errors.ts'
import { secure } from './http/json-response.ts'
import { buttonOf } from './http/mailed-link.contract.ts'
import { bookmarkHeader, type Runtime } from './http/open-scope.ts'
import { serverPath } from './http/operations.ts'
import { appPage } from './http/pages/app-page.ts'
import { mountDevelopmentPages } from './http/pages/development.ts'
import { registryDocument } from './http/pages/registry.ts'
import { mountTesting } from './http/testing.ts'
import { basePath } from './identity/settings.ts'
import { days } from './kit/time.ts'
import { canonicalPath } from './kit/urls.ts'
import { brandPreview, pageParts } from './page-parts.ts'
import type { Env } from './platform/env.ts'
import { logger } from './platform/log.ts'
import { servedFeatures } from './rpc/served-features.ts'
import { testingOperations } from './rpc/testing.ts'

export interface App {
  fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response>
}

interface HonoTypes {
  Bindings: Env
}

/** Builds the whole application once per isolate: the router and the state that all requests share. */
export function createApp(runtime: Runtime, env: Env): App {
  const { settings, options } = runtime
  const https = settings.baseUrl.startsWith('https:')
  const hono = new Hono<HonoTypes>()
  const features = servedFeatures(options)
  // Almost every endpoint has a path without parameters. The router gets only the others: building it takes time in each
  // isolate.
  const direct = new Map<string, Answer>()
  for (const feature of features) mount(hono, direct, feature, runtime)
  const isDevelopment = settings.environment === 'development'
  if (isDevelopment) {
    mountDevelopmentPages(hono, env, { texts: runtime.brand.texts, baseUrl: settings.baseUrl })
    hono.get('/dev/brand.json', () => secure(Response.json(brandPreview.options(runtime)), false))
    if (env.TESTING === 'on') mountTesting(hono, runtime, testingOperations)
  }
  hono.get('/registry/:file', async ({ env: { ASSETS }, req }) => {
    const document = await registryDocument(ASSETS, req.param('file'), settings.baseUrl)
    return secure(document ?? answerError(httpErrors.NOT_FOUND(), logger('')), https)
  })
  hono.notFound((c) => {
    const url = new URL(c.req.url)
    const preview = isDevelopment && brandPreview.isAsked(url)
    const shown = preview ? brandPreview.runtimeFor(runtime, url) : runtime
    if ('problems' in shown) return c.text(shown.problems.join('\n'), 400)
    const opening = { request: c.req.raw, path: c.req.path, env: c.env, context: c.executionCtx, runtime: shown }
    return answerRequest(opening, async (scope) => {
      const asks = c.req.method === 'GET' || c.req.method === 'HEAD'
      if (asks && (preview || !isServed(c.req.path)))
        return appPage(scope, c.req.path, async () => ({ ...(await pageParts(scope, c.req.url, features)), preview }))
      await limitRate(scope, null)
      throw httpErrors.NOT_FOUND()
    })
  })

  // Apps at the trusted origins call this one with credentials; scripts of other origins must not read a response. Only
  // cross-origin requests take this path.
  const crossOrigin = new Hono<HonoTypes>()
  const headers = runtime.lifecycle.registry('corsHeaders', 'all').map((headersOf) => headersOf(runtime))
  const dispatch = (request: Request, path: string, bindings: Env, context: ExecutionContext) => {
    const answer = direct.get(`${request.method} ${path}`)
    if (answer) return answer(new HonoRequest(request, path), bindings, context)
    const answerToGet = request.method === 'HEAD' && direct.get(`GET ${path}`)
    if (answerToGet) return withoutBody(answerToGet(new HonoRequest(request, path), bindings, context))
    return hono.fetch(request, bindings, context)
  }
  const pass = (c: Context<HonoTypes>) => dispatch(c.req.raw, c.req.path, c.env, c.executionCtx as ExecutionContext)
  for (const path of openPaths(features, options)) crossOrigin.use(path, openToAll).all(path, pass)
  // A browser ignores it without an allowed origin; a cache or a proxy that adds an origin does not.
  crossOrigin.use(async (c, next) => {
    await next()
    const { headers } = c.res
    if (!headers.has('access-control-allow-origin')) headers.delete('access-control-allow-credentials')
  })
  // A page never has a server key, so that no origin may ask.
  crossOrigin.all(`${serverPath}/*`, pass)
  crossOrigin.use(
    cors({
      origin(origin, c) {
        if (isTrustedOrigin(settings, origin)) return origin
        // A POST is rejected later, and logged there.
        if (c.req.method !== 'POST') logMissingOrigin(settings, logger(''), origin)
        return null
      },
      credentials: true,
      allowMethods: ['GET', 'POST'],
      allowHeaders: [
        'authorization',
        'content-type',
        bookmarkHeader,
        ...headers.flatMap(({ request = [] }) => request),
      ],
      exposeHeaders: [
        ...headers.flatMap(({ response = [] }) => response),
        'x-retry-after',
        'x-request-id',
        bookmarkHeader,
      ],
      maxAge: days(1),
    }),
  )
  crossOrigin.all('*', pass)

  return {
    async fetch(request, bindings, context) {
      const pathname = pathOf(request.url)
      const path = canonicalPath(pathname)
      if (path === null) return secure(answerError(httpErrors.NOT_FOUND(), logger('')), https)
      const origin = request.headers.get('origin')
      const isOwn = origin === null || origin === settings.baseUrl
      let canonical = request
      if (path !== pathname) {
        const url = new URL(request.url)
        url.pathname = path
        canonical = new Request(url, request)
      }
      return isOwn ? dispatch(canonical, path, bindings, context) : crossOrigin.fetch(canonical, bindings, context)
    },
  }
}

const withoutBody = async (response: Promise<Response>): Promise<Response> => new Response(null, await response)

const plainUrl = /^https?:\/\/[^/?#\\]+((?:\/[\w-]+)+)(?:[?#]|$)/

/** The path of a URL. Almost every one can be read without parsing the URL, which takes longer than the routing. */
const pathOf = (url: string): string => plainUrl.exec(url)?.[1] ?? new URL(url).pathname

/** The mount paths of an endpoint. */
const pathsOf = ({ path, isRoot, alsoAt }: Endpoint, options: Runtime['options']): string[] => [
  isRoot ? path : `${basePath}${path}`,
  ...(alsoAt?.(options) ?? []),
]

/** Endpoints for scripts of any site, without cookies: public protocols and public documents. */
const openPaths = (features: readonly Feature[], options: Runtime['options']): string[] =>
  features
    .flatMap((feature) => Object.values(contractOf(feature)))
    .flatMap((endpoint) => (endpoint.anyOrigin ? pathsOf(endpoint, options) : []))

const openToAll = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  allowHeaders: ['Content-Type', 'Authorization', 'DPoP', 'MCP-Protocol-Version'],
  exposeHeaders: ['WWW-Authenticate', 'X-Request-Id'],
  maxAge: days(1),
})

/** Paths below which the app has no screens. */
const isServed = (path: string) => /^\/(?:api|\.well-known|dev)(?:\/|$)/.test(path)

/** Answers a request at a known endpoint. */
type Answer = (http: HonoRequest, env: Env, context: Pick<ExecutionContext, 'waitUntil'>) => Promise<Response>

/** The endpoints of a contract by operation; that of a mailed link also as its button. */
const mountedOf = (contract: Contract): [string, Endpoint][] =>
  Object.entries(contract).flatMap(([operation, endpoint]): [string, Endpoint][] => [
    [operation, endpoint],
    ...(endpoint.mailedLink ? ([[operation, buttonOf(endpoint)]] as [string, Endpoint][]) : []),
  ])

/**
 * Mounts a feature's endpoints: those whose paths have parameters in the router.
 * @param direct gets the others, by method and path
 */
function mount(hono: Hono<HonoTypes>, direct: Map<string, Answer>, feature: Feature, runtime: Runtime): void {
  for (const routes of allRoutesOf(feature)) {
    for (const [operation, endpoint] of mountedOf(routes.contract)) {
      const route = routeOf(endpoint, routes, operation)
      const answer: Answer = (http, env, context) =>
        answerRequest({ request: http.raw, path: http.path, env, context, runtime, endpoint }, (scope) =>
          answerCall(scope, route, http),
        )
      for (const path of pathsOf(endpoint, runtime.options)) {
        const name = `${endpoint.method} ${path}`
        if (/[:*]/.test(path)) hono.on(endpoint.method, path, (c) => answer(c.req, c.env, c.executionCtx))
        else if (!direct.has(name)) direct.set(name, answer)
      }
    }
  }
}
