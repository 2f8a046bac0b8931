import { adminErrors } from './features/admin/admin.errors.ts'
import { keyRefusals } from './features/api-key/api-key.errors.ts'
import { rateLimitOptions } from './http/edge/rate-limit.ts'
import { targets } from './http/edge/trusted-origin.ts'
import { type Endpoint, isOpenedInBrowser } from './http/endpoint.ts'
import { httpErrors } from './http/http.errors.ts'
import { cookieJar } from './identity/cookie-jar.ts'
import { basePath, type Settings } from './identity/settings.ts'
import type { ErrorKind } from './kit/errors.ts'
import { inWords } from './kit/time.ts'
import { Components, inputSchema, type JsonSchema, refTo } from './openapi-schemas.ts'
import type { CounterRule } from './platform/durable/counter-rule.ts'

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

/** @param shared the rule of whatever has none of its own; null where limits are off */
function limitSentence({ access, limit }: Endpoint, shared: CounterRule | null): string {
  const rule = limit ?? shared
  if (!shared || !rule || access === 'webhook') return 'Without a limit.'
  const { max, window } = rule
  return `At most ${max} ${max === 1 ? 'call' : 'calls'} in ${inWords(window, 'en')} from one address.`
}

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

function bodyOf({ body, exampleBody, forms, raw }: Endpoint) {
  if (typeof raw === 'object') {
    const [type, schema] =
      'form' in raw ? ['application/x-www-form-urlencoded', raw.form] : ['application/json', raw.json]
    return { requestBody: { required: true, content: { [type]: { schema: inputSchema(schema) } } } }
  }
  if (!body) return {}
  const schema = inputSchema(body)
  const content: Record<string, unknown> = {
    'application/json': { schema, ...(exampleBody ? { example: exampleBody } : {}) },
  }
  if (forms) content['application/x-www-form-urlencoded'] = { schema }
  return { requestBody: { required: !body.safeParse({}).success, content } }
}

const shownPage = { 'text/html': { schema: { type: 'string' } } }

const location = { Location: { schema: { type: 'string', format: 'uri-reference' } } }

function successOf(operation: string, endpoint: Endpoint, components: Components) {
  if (endpoint.answer === 'redirect') {
    const description = 'Sends the browser on; after an error with its code as `error` in the query of the Location.'
    return { [endpoint.status ?? 302]: { description, headers: location } }
  }
  if (endpoint.answer === 'page') {
    return { 200: { description: 'A page.', content: shownPage } }
  }
  if (endpoint.answer === 'style-sheet') {
    return { 200: { description: 'A style sheet.', content: { 'text/css': { schema: { type: 'string' } } } } }
  }
  const schema = components.add(endpoint.answer, `${upper(operation)}Answer`)
  return {
    [endpoint.status ?? 200]: {
      description: endpoint.summary,
      content: { 'application/json': { schema }, ...(endpoint.shows ? shownPage : {}) },
    },
    ...(endpoint.redirects ? { 302: { description: 'Sends the browser on instead.', headers: location } } : {}),
  }
}

/** The refusals of a foreign place to send the browser to, by the fields that the endpoint has. */
function targetErrorsOf({ query, body }: Endpoint): ErrorKind[] {
  const fields = [query, body].flatMap((schema) => {
    const properties = schema ? inputSchema(schema).properties : {}
    return Object.keys((properties as JsonSchema | undefined) ?? {})
  })
  return Object.entries(targets).flatMap(([field, refusal]) => (fields.includes(field) ? [refusal] : []))
}

/** What the edge refuses, before the endpoint's own errors. @param callerErrors of those who show an API key */
function edgeErrorsOf(endpoint: Endpoint, callerErrors: readonly ErrorKind[]): ErrorKind[] {
  const { access, unauthorized = httpErrors.UNAUTHORIZED } = endpoint
  const kind = accessKind(endpoint)
  const hasCaller = !['visitor', 'client', 'webhook'].includes(kind)
  return [
    ...(hasCaller ? [unauthorized] : []),
    // Of visitors too: whoever shows a key means to be somebody.
    ...(kind === 'client' || kind === 'webhook' ? [] : callerErrors),
    ...targetErrorsOf(endpoint),
    ...(kind === 'own-session' || kind === 'fresh-session' ? [httpErrors.OWN_SESSION_REQUIRED] : []),
    ...(kind === 'fresh-session' ? [httpErrors.SESSION_IS_NOT_FRESH] : []),
    ...(typeof access === 'object' ? [access.refusal ?? httpErrors.FORBIDDEN] : []),
    ...(endpoint.method === 'POST' && !endpoint.foreignPosts ? [httpErrors.INVALID_ORIGIN] : []),
    ...(endpoint.body || endpoint.raw ? [httpErrors.PAYLOAD_TOO_LARGE] : []),
    httpErrors.TOO_MANY_REQUESTS,
    httpErrors.INTERNAL_SERVER_ERROR,
    httpErrors.UNAVAILABLE,
    ...(endpoint.method === 'GET' && endpoint.changes.length > 0 ? [httpErrors.PREFETCH_REFUSED] : []),
  ]
}

const retryAfter = { 'X-Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

/** What steps of other features refuse on an endpoint's way (the lifecycle table of features.ts). */
const stepErrors: Readonly<Record<string, readonly ErrorKind[]>> = {
  '/delete-user': [adminErrors.THE_LAST_ADMINISTRATOR_MUST_REMAIN],
  '/delete-user/callback': [adminErrors.THE_LAST_ADMINISTRATOR_MUST_REMAIN],
}

const validationError: ErrorKind = { status: 400, code: 'VALIDATION_ERROR', message: 'what is wrong, and where' }

/** One of the codes; `*` in one stands for what differs from call to call. */
const oneOfCodes = (codes: string[]): JsonSchema =>
  codes.some((code) => code.includes('*'))
    ? { pattern: `^(?:${codes.map((code) => code.replace('*', '.*')).join('|')})$` }
    : { enum: codes }

/** The schema of each form of an error, and the field of it that holds the code. */
const errorForms = {
  app: (codes: string[]) => ({ ...refTo('Error'), properties: { code: oneOfCodes(codes) } }),
  oauth: (codes: string[]) => ({ ...refTo('OAuthError'), properties: { error: { enum: codes } } }),
  'json-rpc': () => refTo('JsonRpcError'),
}

/** What one of several errors of the same status looks like: every form with the codes that it may have. */
function errorSchema(kinds: readonly ErrorKind[]): JsonSchema {
  const byForm = Map.groupBy(kinds, ({ form }) => form ?? 'app')
  const schemas = [...byForm].map(([form, some]) => errorForms[form]([...new Set(some.map(({ code }) => code))]))
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

function errorsOf(endpoint: Endpoint, callerErrors: readonly ErrorKind[]) {
  const kinds = [
    ...(endpoint.body || endpoint.query || endpoint.params ? [validationError] : []),
    ...edgeErrorsOf(endpoint, callerErrors),
    ...endpoint.errors,
    ...(stepErrors[endpoint.path] ?? []),
  ]
  return Object.fromEntries(
    [...Map.groupBy(kinds, ({ status }) => status)].map(([status, some]) => [
      status,
      {
        description: [...new Set(some.map(({ code, message }) => `${code}: ${message}`))].join('\n'),
        ...(status === 429 ? { headers: retryAfter } : {}),
        content: {
          'application/json': { schema: errorSchema(some) },
          // Whoever has opened the address sees what went wrong.
          ...(isOpenedInBrowser(endpoint) ? shownPage : {}),
        },
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
  const { enabled, window, max } = rateLimitOptions.of({ options })
  const shared = enabled ? { window, max } : null
  const callerErrors = features.some(({ name }) => name === 'api-key') ? Object.values(keyRefusals) : []
  for (const { name, contract } of features) {
    for (const [operation, endpoint] of Object.entries(contract)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = {
        tags: [name],
        operationId: operation,
        summary: endpoint.summary,
        description: [accessSentences[accessKind(endpoint)], limitSentence(endpoint, shared)].join(' '),
        security: securityOf(endpoint),
        parameters: withPathParameters(endpoint, parametersOf(endpoint)),
        ...bodyOf(endpoint),
        responses: { ...successOf(operation, endpoint, components), ...errorsOf(endpoint, callerErrors) },
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
      schemas: { ...usedErrorSchemas(paths), ...components.usedBy(paths) },
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

/** The forms of errors that some endpoint has. */
function usedErrorSchemas(paths: object): Record<string, JsonSchema> {
  const text = JSON.stringify(paths)
  return Object.fromEntries(Object.entries(errorSchemas).filter(([name]) => text.includes(`"${refTo(name).$ref}"`)))
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
  JsonRpcError: {
    type: 'object',
    description: 'JSON-RPC 2.0, section 5.1, as tool servers pass it on to agents.',
    required: ['jsonrpc', 'error', 'id'],
    properties: {
      jsonrpc: { const: '2.0' },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: text, 'www-authenticate': text },
      },
      id: { type: 'null' },
    },
  },
}
