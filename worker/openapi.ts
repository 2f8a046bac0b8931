import type { Endpoint } from './http/endpoint.ts'
import { httpErrors } from './http/http.errors.ts'
import { cookieJar } from './identity/cookie-jar.ts'
import { basePath, type Settings } from './identity/settings.ts'
import type { AppErrorKind } from './kit/errors.ts'
import { inWords } from './kit/time.ts'
import { Components, inputSchema, type JsonSchema, refTo } from './openapi-schemas.ts'
import type { CounterRule } from './platform/counter-rule.ts'

/** The part of an OpenAPI 3.1 document that is made from the contracts. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> }
}

/** Who may call, in a sentence; what proves it stands in `security`. */
const accessSentences: Record<string, string> = {
  visitor: 'For anybody.',
  session: 'Needs a session.',
  'own-session': "Needs a person's own session: neither an API key nor an impersonation will do.",
  'fresh-session': 'Needs a session that was begun a short while ago.',
  admin: 'Needs the session of an administrator.',
  client: 'Needs the credentials of an OAuth client.',
  webhook: 'Needs a valid signature.',
}

const accessKind = ({ access }: Endpoint): string => (typeof access === 'string' ? access : Object.keys(access)[0]!)

function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  const kind = accessKind(endpoint)
  if (kind === 'visitor' || kind === 'webhook') return []
  return kind === 'client' ? [{ client: [] }] : [{ session: [] }, { bearer: [] }]
}

const limitSentence = ({ max, window }: CounterRule) =>
  `At most ${max} ${max === 1 ? 'call' : 'calls'} in ${inWords(window, 'en')} from one address.`

const upper = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function parametersOf({ params, query }: Endpoint) {
  const list = (schema: Endpoint['query'], where: 'path' | 'query') => {
    if (!schema) return []
    const { properties = {}, required = [] } = inputSchema(schema) as {
      properties?: Record<string, JsonSchema>
      required?: string[]
    }
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: property,
    }))
  }
  return [...list(params, 'path'), ...list(query, 'query')]
}

/** Path parameters that the contract has no schema for are texts. */
function withPathParameters(endpoint: Endpoint, given: ReturnType<typeof parametersOf>) {
  const known = new Set(given.filter((one) => one.in === 'path').map(({ name }) => name))
  const missing = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => !known.has(name))
  return [...missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })), ...given]
}

function bodyOf({ body, forms }: Endpoint) {
  if (!body) return {}
  const schema = inputSchema(body)
  const content: Record<string, unknown> = { 'application/json': { schema } }
  if (forms) content['application/x-www-form-urlencoded'] = { schema }
  return { requestBody: { required: !body.safeParse({}).success, content } }
}

function successOf(operation: string, endpoint: Endpoint, components: Components) {
  if (endpoint.answer === 'redirect') {
    const description = 'Sends the browser on; after an error with its code as `error` in the query of the Location.'
    return { 302: { description, headers: { Location: { schema: { type: 'string', format: 'uri-reference' } } } } }
  }
  if (endpoint.answer === 'page') {
    return { 200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } } }
  }
  const schema = components.add(endpoint.answer, `${upper(operation)}Answer`)
  return {
    [endpoint.status ?? 200]: { description: endpoint.summary, content: { 'application/json': { schema } } },
  }
}

/** What the edge refuses, before the endpoint's own errors. */
function edgeErrorsOf(endpoint: Endpoint): AppErrorKind[] {
  const { access } = endpoint
  const kind = accessKind(endpoint)
  return [
    ...(['visitor', 'client', 'webhook'].includes(kind) ? [] : [httpErrors.UNAUTHORIZED]),
    ...(kind === 'own-session' || kind === 'fresh-session' ? [httpErrors.OWN_SESSION_REQUIRED] : []),
    ...(kind === 'fresh-session' ? [httpErrors.SESSION_IS_NOT_FRESH] : []),
    ...(typeof access === 'object' ? [access.refusal ?? httpErrors.FORBIDDEN] : []),
    ...(endpoint.method === 'POST' && !endpoint.foreignPosts ? [httpErrors.INVALID_ORIGIN] : []),
    ...(endpoint.body ? [httpErrors.PAYLOAD_TOO_LARGE] : []),
    httpErrors.TOO_MANY_REQUESTS,
    httpErrors.INTERNAL_SERVER_ERROR,
    httpErrors.UNAVAILABLE,
    ...(endpoint.method === 'GET' && endpoint.changes.length > 0 ? [httpErrors.PREFETCH_REFUSED] : []),
  ]
}

const retryAfter = { 'X-Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

function errorsOf(endpoint: Endpoint) {
  const reasons = new Map<number, Set<string>>()
  const add = (status: number, reason: string) => reasons.set(status, (reasons.get(status) ?? new Set()).add(reason))
  if (endpoint.body || endpoint.query || endpoint.params) add(400, 'VALIDATION_ERROR: what is wrong, and where')
  for (const { status, code, message } of [...edgeErrorsOf(endpoint), ...endpoint.errors]) {
    add(status, `${code}: ${message}`)
  }
  const schema = endpoint.errorForm === 'oauth' ? { anyOf: [refTo('OAuthError'), refTo('Error')] } : refTo('Error')
  return Object.fromEntries(
    [...reasons].map(([status, lines]) => [
      status,
      {
        description: [...lines].join('\n'),
        ...(status === 429 ? { headers: retryAfter } : {}),
        content: { 'application/json': { schema } },
      },
    ]),
  )
}

/** Describes the endpoints that are on, one entry each, in the words of their contracts. */
export function openApiDocument(
  features: readonly { name: string; contract: Readonly<Record<string, Endpoint>> }[],
  settings: Settings,
  options: Readonly<Record<string, unknown>>,
): OpenApiDocument {
  const { appName, baseUrl } = settings
  const components = new Components()
  const paths: OpenApiDocument['paths'] = {}
  for (const { name, contract } of features) {
    for (const [operation, endpoint] of Object.entries(contract)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = {
        tags: [name],
        operationId: operation,
        summary: endpoint.summary,
        description: [
          accessSentences[accessKind(endpoint)],
          ...(endpoint.limit ? [limitSentence(endpoint.limit)] : []),
        ].join(' '),
        security: securityOf(endpoint),
        parameters: withPathParameters(endpoint, parametersOf(endpoint)),
        ...bodyOf(endpoint),
        responses: { ...successOf(operation, endpoint, components), ...errorsOf(endpoint) },
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: appName, version: '1.0.0', description: `Accounts of ${appName}.` },
    servers: [{ url: `${baseUrl}${basePath}` }],
    tags: features.filter(({ contract }) => Object.keys(contract).length > 0).map(({ name }) => ({ name })),
    paths,
    components: {
      schemas: { ...errorSchemas, ...components.usedBy(paths) },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieJar(new Headers(), { settings, options }).nameOf('session_token'),
        },
        bearer: { type: 'http', scheme: 'bearer' },
        client: { type: 'http', scheme: 'basic' },
      },
    },
  }
}

const text = { type: 'string' }

const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: text,
      message: text,
      issues: {
        type: 'array',
        description: 'Which fields were refused, for a VALIDATION_ERROR.',
        items: { type: 'object', required: ['path', 'message'], properties: { path: text, message: text } },
      },
    },
  },
  OAuthError: {
    type: 'object',
    description: 'RFC 6749, section 5.2.',
    required: ['error'],
    properties: { error: text, error_description: text },
  },
}
