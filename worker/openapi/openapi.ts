import { scimType } from '../http/answer-error.ts'
import { rateLimitOptions } from '../http/edge/rate-limit.ts'
import { targets } from '../http/edge/trusted-origin.ts'
import {
  type Contract,
  type Endpoint,
  type EndpointInput,
  isForAdministrators,
  isOpenedInBrowser,
  isPartyAccess,
  isRecencyAsked,
  serverPermissionOf,
} from '../http/endpoint.ts'
import type { Feature } from '../http/feature.ts'
import { httpErrors } from '../http/http.errors.ts'
import { idempotencyErrors, serverErrors } from '../http/server.errors.ts'
import { cookieJar } from '../identity/cookie-jar.ts'
import { basePath, type Settings } from '../identity/settings.ts'
import type { ErrorKind } from '../kit/errors.ts'
import { inWords } from '../kit/time.ts'
import type { CounterRule } from '../platform/durable/counter-rule.ts'
import { Components, inputSchema, type JsonSchema, refTo } from './schemas.ts'

/** The part of an OpenAPI 3.1 document that is generated from the contracts. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> }
}

/** The access of an endpoint as a sentence; `security` lists the credentials. */
const accessSentences: Record<string, string> = {
  visitor: 'For anyone.',
  session: 'Requires a session.',
  'own-session': "Requires the user's own session, not an API key or an impersonation.",
  'recent-authentication': "Requires the user's own session, whose last authentication is recent (see POST /step-up).",
  admin: 'Requires the session of an administrator.',
  server: 'Requires a server key with the permission',
  client: 'Requires the credentials of an OAuth client.',
  webhook: 'Requires a valid signature.',
  'setup-link': 'Requires the token of a set-up link in the body.',
  directory: 'Requires the token of a directory.',
}

const accessKind = ({ access }: Endpoint): string => (typeof access === 'string' ? access : Object.keys(access)[0]!)

function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  const kind = accessKind(endpoint)
  if (kind === 'visitor' || kind === 'webhook' || kind === 'setup-link') return []
  if (kind === 'server') return [{ serverKey: [] }]
  if (kind === 'directory') return [{ directory: [] }]
  return kind === 'client' ? [{ client: [] }] : [{ session: [] }, { bearer: [] }]
}

const accessSentence = (endpoint: Endpoint): string => {
  const permission = serverPermissionOf(endpoint)
  const sentence = accessSentences[accessKind(endpoint)]!
  return permission === null ? sentence : `${sentence} \`${permission}\`.`
}

/** @param shared the rule of endpoints without their own; null if limits are off */
function limitSentence({ access, limits }: Endpoint, shared: CounterRule | null): string {
  if (typeof access === 'object' && 'server' in access) return 'Limited by key.'
  if (access === 'directory') return 'Limited by token.'
  const rule = limits?.rate ?? shared
  if (!shared || !rule || access === 'webhook') return 'Without a limit.'
  const { max, window } = rule
  return `At most ${max} ${max === 1 ? 'call' : 'calls'} in ${inWords(window, 'en')} from one address.`
}

const upper = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function parametersOf({ input: { params, query } = {} }: Endpoint) {
  const list = (schema: EndpointInput['query'], where: 'path' | 'query') => {
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

/** Path parameters without a schema in the contract are strings. */
function withPathParameters(endpoint: Endpoint, given: ReturnType<typeof parametersOf>) {
  const known = new Set(given.filter((one) => one.in === 'path').map(({ name }) => name))
  const missing = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => !known.has(name))
  return [...missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })), ...given]
}

/** The header of a write of a server. */
const headersOf = (endpoint: Endpoint) =>
  serverPermissionOf(endpoint) !== null && endpoint.changes.length > 0
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      ]
    : []

/** The media type of the messages of an endpoint. */
const mediaTypeOf = ({ access }: Pick<Endpoint, 'access'>) => (access === 'directory' ? scimType : 'application/json')

function bodyOf({ access, input: { body, example, raw } = {}, origins }: Endpoint) {
  if (typeof raw === 'object') {
    const [type, schema] =
      'form' in raw ? ['application/x-www-form-urlencoded', raw.form] : [mediaTypeOf({ access }), raw.json]
    return { requestBody: { required: true, content: { [type]: { schema: inputSchema(schema) } } } }
  }
  if (!body) return {}
  const schema = inputSchema(body)
  const content: Record<string, unknown> = {
    'application/json': { schema, ...(example ? { example } : {}) },
  }
  if (origins?.forms) content['application/x-www-form-urlencoded'] = { schema }
  return { requestBody: { required: !body.safeParse({}).success, content } }
}

const shownPage = { 'text/html': { schema: { type: 'string' } } }

const location = { Location: { schema: { type: 'string', format: 'uri-reference' } } }

function successOf(operation: string, endpoint: Endpoint, components: Components) {
  if (endpoint.answer === 'redirect') {
    const description =
      'Redirects the browser. After an error, the query parameter `error` of the Location contains its code.'
    return { [endpoint.status ?? 302]: { description, headers: location } }
  }
  if (endpoint.answer === 'page') {
    return { 200: { description: 'A page.', content: shownPage } }
  }
  if (endpoint.answer === 'style-sheet') {
    return { 200: { description: 'A style sheet.', content: { 'text/css': { schema: { type: 'string' } } } } }
  }
  if (endpoint.answer === 'text') {
    return { 200: { description: 'A text.', content: { 'text/plain': { schema: { type: 'string' } } } } }
  }
  if (endpoint.answer === 'csv') {
    return { 200: { description: 'A CSV file.', content: { 'text/csv': { schema: { type: 'string' } } } } }
  }
  if (endpoint.answer === 'csv-or-ndjson') {
    const schema = { type: 'string' }
    const content = { 'text/csv': { schema }, 'application/x-ndjson': { schema } }
    return { 200: { description: 'A file of CSV, or of one JSON object a line.', content } }
  }
  if (endpoint.answer === 'socket') return { 101: { description: 'A WebSocket (RFC 6455).' } }
  if (endpoint.status === 204) return { 204: { description: endpoint.summary } }
  const schema = components.add(endpoint.answer, `${upper(operation)}Answer`)
  return {
    [endpoint.status ?? 200]: {
      description: endpoint.summary,
      content: {
        [mediaTypeOf(endpoint)]: { schema },
        ...(endpoint.orElse?.includes('page') ? shownPage : {}),
      },
    },
    ...(endpoint.orElse?.includes('redirect')
      ? { 302: { description: 'Redirects the browser instead.', headers: location } }
      : {}),
  }
}

/** The errors for untrusted redirect targets, by the fields of the endpoint. */
function targetErrorsOf({ input: { query, body } = {} }: Endpoint): ErrorKind[] {
  const fields = [query, body].flatMap((schema) => {
    const properties = schema ? inputSchema(schema).properties : {}
    return Object.keys((properties as JsonSchema | undefined) ?? {})
  })
  return Object.entries(targets).flatMap(([field, refusal]) => (fields.includes(field) ? [refusal] : []))
}

/** The errors before those of the endpoint. @param stepErrors of steps that features add */
function edgeErrorsOf(endpoint: Endpoint, stepErrors: readonly ErrorKind[]): ErrorKind[] {
  if (serverPermissionOf(endpoint) !== null) {
    return [
      ...Object.values(serverErrors),
      ...(endpoint.changes.length > 0 ? Object.values(idempotencyErrors) : []),
      httpErrors.PAYLOAD_TOO_LARGE,
      httpErrors.TOO_MANY_REQUESTS,
      httpErrors.INTERNAL_SERVER_ERROR,
      ...(endpoint.changes.length > 0 ? [httpErrors.DATABASE_ALMOST_FULL] : []),
      httpErrors.UNAVAILABLE,
    ]
  }
  const { access, accessRules: { unauthorized = httpErrors.UNAUTHORIZED } = {} } = endpoint
  const kind = accessKind(endpoint)
  const hasCaller = access !== 'visitor' && !isPartyAccess(access)
  return [
    ...(hasCaller ? [unauthorized, httpErrors.SESSION_KEY_REQUIRED] : []),
    ...stepErrors,
    ...targetErrorsOf(endpoint),
    ...(kind === 'own-session' || isRecencyAsked(endpoint) ? [httpErrors.OWN_SESSION_REQUIRED] : []),
    ...(isRecencyAsked(endpoint) ? [httpErrors.SESSION_IS_NOT_FRESH] : []),
    ...(isForAdministrators(access) ? [access.refusal ?? httpErrors.FORBIDDEN] : []),
    ...(endpoint.method !== 'GET' && !endpoint.origins?.foreignPosts ? [httpErrors.INVALID_ORIGIN] : []),
    ...(endpoint.input?.body || endpoint.input?.raw ? [httpErrors.PAYLOAD_TOO_LARGE] : []),
    httpErrors.TOO_MANY_REQUESTS,
    httpErrors.INTERNAL_SERVER_ERROR,
    ...(endpoint.changes.length > 0 ? [httpErrors.DATABASE_ALMOST_FULL] : []),
    httpErrors.UNAVAILABLE,
    ...(endpoint.method === 'GET' && endpoint.changes.length > 0 ? [httpErrors.PREFETCH_REFUSED] : []),
  ]
}

const retryAfter = { 'X-Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

const validationError: ErrorKind = { status: 400, code: 'VALIDATION_ERROR', message: 'what is wrong, and where' }

/** Describes one of the codes; `*` in a code matches the variable part. */
const oneOfCodes = (codes: string[]): JsonSchema =>
  codes.some((code) => code.includes('*'))
    ? { pattern: `^(?:${codes.map((code) => code.replace('*', '.*')).join('|')})$` }
    : { enum: codes }

/** The schema of each form of an error, with the field that contains the code. */
const errorForms = {
  app: (codes: string[]) => ({ ...refTo('Error'), properties: { code: oneOfCodes(codes) } }),
  oauth: (codes: string[]) => ({ ...refTo('OAuthError'), properties: { error: { enum: codes } } }),
  'json-rpc': () => refTo('JsonRpcError'),
}

/** The schema of several errors with the same status: each form with its codes. */
function errorSchema(kinds: readonly ErrorKind[]): JsonSchema {
  const byForm = Map.groupBy(kinds, ({ form }) => form ?? 'app')
  const schemas = [...byForm].map(([form, some]) => errorForms[form]([...new Set(some.map(({ code }) => code))]))
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

function errorsOf(endpoint: Endpoint, stepErrors: readonly ErrorKind[]) {
  const { body, query, params } = endpoint.input ?? {}
  const kinds = [
    ...(body || query || params ? [validationError] : []),
    ...edgeErrorsOf(endpoint, stepErrors),
    ...endpoint.errors,
  ]
  return Object.fromEntries(
    [...Map.groupBy(kinds, ({ status }) => status)].map(([status, some]) => [
      status,
      {
        description: [...new Set(some.map(({ code, message }) => `${code}: ${message}`))].join('\n'),
        ...(status === 429 ? { headers: retryAfter } : {}),
        content: {
          [mediaTypeOf(endpoint)]: {
            schema: endpoint.access === 'directory' ? refTo('ScimError') : errorSchema(some),
          },
          // A user who opens the address gets a page with the error.
          ...(isOpenedInBrowser(endpoint) ? shownPage : {}),
        },
      },
    ]),
  )
}

/** Describes the enabled endpoints, one entry each, with the texts of their contracts. */
export function openApiDocument(
  features: readonly (Pick<Feature, 'name' | 'errorsAt'> & { contract: Contract })[],
  settings: Settings,
  options: Readonly<Record<string, unknown>>,
): OpenApiDocument {
  const { appName, baseUrl } = settings
  const components = new Components()
  const paths: OpenApiDocument['paths'] = {}
  const { enabled, window, max } = rateLimitOptions.of({ options })
  const shared = enabled ? { window, max } : null
  for (const { name, contract } of features) {
    for (const [operation, endpoint] of Object.entries(contract)) {
      const stepErrors = features.flatMap(({ errorsAt }) => errorsAt?.(endpoint) ?? [])
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = {
        tags: [name],
        operationId: operation,
        summary: endpoint.summary,
        description: [accessSentence(endpoint), limitSentence(endpoint, shared)].join(' '),
        security: securityOf(endpoint),
        parameters: [...withPathParameters(endpoint, parametersOf(endpoint)), ...headersOf(endpoint)],
        ...(endpoint.at?.root ? { servers: [{ url: baseUrl }] } : {}),
        ...bodyOf(endpoint),
        responses: { ...successOf(operation, endpoint, components), ...errorsOf(endpoint, stepErrors) },
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
        directory: { type: 'http', scheme: 'bearer', description: 'The token of a directory, `gh_scim_...`.' },
        serverKey: { type: 'http', scheme: 'bearer', description: 'A server key, `gh_sk_...`.' },
      },
    },
  }
}

/** The forms of errors that at least one endpoint has. */
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
        description: 'The invalid fields of a VALIDATION_ERROR.',
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
  ScimError: {
    type: 'object',
    description: 'RFC 7644, section 3.12.',
    required: ['schemas', 'status', 'detail'],
    properties: { schemas: { type: 'array', items: text }, status: text, scimType: text, detail: text },
  },
  JsonRpcError: {
    type: 'object',
    description: 'JSON-RPC 2.0, section 5.1, for tool servers.',
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
