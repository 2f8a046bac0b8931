import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { HonoRequest } from 'hono/request'
import { answerCall, type Route, routeOf } from './http/answer-call.ts'
import { answerError } from './http/answer-error.ts'
import { answerRequest } from './http/answer-request.ts'
import { limitRate } from './http/edge/rate-limit.ts'
import { isTrustedOrigin, logMissingOrigin } from './http/edge/trusted-origin.ts'
import { buttonOf, isOpenedInBrowser } from './http/endpoint.ts'
import { usesOf } from './http/endpoint-uses.ts'
import { allRoutesOf, type FeatureDescriptor } from './http/feature.ts'
import { httpErrors } from './http/http.errors.ts'
import { secure } from './http/json-response.ts'
import { fileOf, loadFile } from './http/load-features.ts'
import { bookmarkHeader, pageLanguageOf, type Runtime } from './http/open-scope.ts'
import { serverPath } from './http/operations.ts'
import { mailedLinks, openOperations, pathTable } from './http/paths.generated.ts'
import { days } from './kit/time.ts'
import { canonicalPath } from './kit/urls.ts'
import { loadLanguage } from './languages/texts.ts'
import type { EveryMail } from './page-parts.ts'
import type { Env } from './platform/env.ts'
import { logger } from './platform/log.ts'
import { describedFeatures } from './rpc/served-features.ts'

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
  const { features, operations } = describedFeatures(options)
  // Almost every endpoint has a path without parameters. The router gets only the others: building it takes time in each
  // isolate.
  const direct = new Map<string, Answer>()
  const open: string[] = []
  for (const feature of features) {
    for (const { name, method, paths } of endpointsOf(feature, options, operations)) {
      const answer = answerOf(feature, name, method, runtime)
      for (const path of paths) {
        if (openOperations.has(name)) open.push(path)
        if (/[:*]/.test(path)) hono.on(method, path, (c) => answer(c.req, c.env, c.executionCtx))
        else if (!direct.has(`${method} ${path}`)) direct.set(`${method} ${path}`, answer)
      }
    }
  }
  const isDevelopment = settings.environment === 'development'
  hono.get('/registry/:file', async ({ env: { ASSETS }, req }) => {
    const { registryDocument } = await import('./http/pages/registry.ts')
    const document = await registryDocument(ASSETS, req.param('file'), settings.baseUrl)
    return secure(document ?? answerError(httpErrors.NOT_FOUND(), logger('')), https)
  })
  const isPage = ({ req }: Context<HonoTypes>) =>
    (req.method === 'GET' || req.method === 'HEAD') && (isDevelopment || !isServed(req.path))
  const everyMail: EveryMail = async (language, brand, options) =>
    (await import('./rpc/every-mail.ts')).everyMail(language, brand, undefined, options)
  const answerOther = async (c: Context<HonoTypes>): Promise<Response> => {
    const opening = { request: c.req.raw, path: c.req.path, env: c.env, context: c.executionCtx, runtime }
    if (isPage(c)) {
      const { answerPage } = await import('./page-parts.ts')
      const answer = await answerPage(opening, isServed(c.req.path), everyMail)
      if (answer) return answer
    }
    return answerRequest(opening, async (scope) => {
      await limitRate(scope, null)
      throw httpErrors.NOT_FOUND()
    })
  }
  hono.notFound(answerOther)
  let development: Promise<Hono<HonoTypes>> | undefined
  const loadDevelopment = async () => (await import('./rpc/development.ts')).developmentApp(runtime, env, answerOther)

  // Apps at the trusted origins call this one with credentials; scripts of other origins must not read a response. Only
  // cross-origin requests take this path.
  const crossOrigin = new Hono<HonoTypes>()
  const headers = runtime.lifecycle.registry('corsHeaders', 'all').map((headersOf) => headersOf(runtime))
  const dispatch = (request: Request, path: string, bindings: Env, context: ExecutionContext) => {
    const answer = direct.get(`${request.method} ${path}`)
    if (answer) return answer(new HonoRequest(request, path), bindings, context)
    const answerToGet = request.method === 'HEAD' && direct.get(`GET ${path}`)
    if (answerToGet) return withoutBody(answerToGet(new HonoRequest(request, path), bindings, context))
    if (isDevelopment && /^\/dev(\/|$)/.test(path))
      return (development ??= loadDevelopment()).then((pages) => pages.fetch(request, bindings, context))
    return hono.fetch(request, bindings, context)
  }
  const pass = (c: Context<HonoTypes>) => dispatch(c.req.raw, c.req.path, c.env, c.executionCtx as ExecutionContext)
  for (const path of open) crossOrigin.use(path, openToAll).all(path, pass)
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

/** The endpoints of a feature with their absolute paths. @param operations whether servers may call those for them */
function endpointsOf({ name: feature, alsoAt }: FeatureDescriptor, options: Runtime['options'], operations: boolean) {
  const more = alsoAt?.(options)
  return Object.entries(pathTable[feature] ?? {})
    .filter(([, [, path]]) => operations || !path!.startsWith(`${serverPath}/`))
    .flatMap(([name, [method, ...paths]]) =>
      [method, ...(mailedLinks.has(name) ? ['POST'] : [])].map((one) => ({
        name,
        method: one,
        paths: [...paths, ...(more?.[name] ?? [])],
      })),
    )
}

/** Answers at an endpoint: its first call loads the feature, and what the call uses of others. */
function answerOf(feature: FeatureDescriptor, operation: string, method: string, runtime: Runtime): Answer {
  let known: Route | undefined
  return async (http, env, context) => {
    if (!known) {
      await loadFile([feature], 'endpoints')
      const own = allRoutesOf(fileOf(feature, 'endpoints')!).find(({ contract }) => contract[operation])!
      const endpoint = own.contract[operation]!
      known = routeOf(method === endpoint.method ? endpoint : buttonOf(endpoint), own, operation)
    }
    const route = known
    const { endpoint } = route
    const loading = runtime.loader.load(usesOf(endpoint))
    if (loading) await loading
    if (isOpenedInBrowser(endpoint) || endpoint.orElse?.includes('page'))
      await loadLanguage(pageLanguageOf(http.raw, runtime))
    return answerRequest({ request: http.raw, path: http.path, env, context, runtime, endpoint }, (scope) =>
      answerCall(scope, route, http),
    )
  }
}
