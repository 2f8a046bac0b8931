import {
  bodyOf,
  type Documented,
  type DocumentedEndpoint,
  type DocumentedOperation,
  type DocumentedSchema,
} from './documented.ts'

const json = 'application/json'

const byFormat: Readonly<Record<string, string>> = {
  email: 'another@example.com',
  'date-time': '2030-01-01T00:00:00.000Z',
  uri: 'https://app.example.com/',
}

const byName: readonly (readonly [RegExp, string])[] = [
  [/url|redirectTo/i, '/welcome'],
  [/password/i, 'a-long-password'],
  [/^network$/, '192.0.2.0/24'],
]

const texts = ['abc123', '123456', '+4915112345678', 'en', 'x'.repeat(43), 'a'.repeat(16)]

function exampleText(name: string, { format, pattern, minLength = 0, maxLength = 1e9 }: DocumentedSchema): string {
  const named = byName.find(([words]) => words.test(name))?.[1] ?? name
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text))
  return byFormat[format ?? ''] ?? [named, ...texts].find(fits) ?? 'x'.repeat(minLength)
}

/** The value of an example: the required fields, or one field if none is required. */
export function exampleOf(schema: DocumentedSchema, name = 'value'): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (options) return exampleOf(options.find(({ type }) => type !== 'null') ?? options[0]!, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'string') return exampleText(name, schema)
  if (type === 'number' || type === 'integer') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  if (type === 'array') return [exampleOf(schema.items ?? {}, name)]
  if (type !== 'object') return name
  const { properties = {}, required = [] } = schema
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(shown.flatMap((key) => (properties[key] ? [[key, exampleOf(properties[key], key)]] : [])))
}

interface ExampleCall {
  path: string
  query: Record<string, string>
  body: Record<string, unknown> | null
  /** The body is sent as a form. */
  form: boolean
}

function exampleCall({ path, operation }: DocumentedEndpoint): ExampleCall {
  const given = (where: 'path' | 'query') =>
    operation.parameters
      .filter((one) => one.in === where && one.required)
      .map(({ name, schema }) => [name, String(exampleOf(schema, name))] as const)
  const parameters = new Map(given('path'))
  const body = bodyOf(operation)
  return {
    path: path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(parameters.get(name) ?? name)),
    query: Object.fromEntries(given('query')),
    body: body && (body.example ?? (exampleOf(body.schema) as Record<string, unknown>)),
    form: body !== null && body.type !== json,
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The credentials of the caller: a session cookie, or the id and secret of a client. */
function curlCredentials(
  { security }: DocumentedOperation,
  { components }: Documented,
  origin: string,
  posts: boolean,
): string[] {
  const kinds = security.flatMap((one) => Object.keys(one))
  if (kinds.includes('client')) return ["--user 'client_id:client_secret'"]
  if (!kinds.includes('session')) return []
  const cookie = `--cookie ${quoted(`${components.securitySchemes.session.name}=TOKEN`)}`
  return posts ? [`--header ${quoted(`origin: ${origin}`)}`, cookie] : [cookie]
}

/** The call as a command line. */
export function curlExample(endpoint: DocumentedEndpoint, document: Documented): string {
  const { path, query, body, form } = exampleCall(endpoint)
  const base = document.servers[0]!.url
  const search = new URLSearchParams(query).toString()
  const posts = endpoint.method !== 'GET'
  const data = !body
    ? []
    : form
      ? Object.entries(body).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
      : [`--header ${quoted(`content-type: ${json}`)}`, `--data ${quoted(JSON.stringify(body))}`]
  return [
    `curl ${endpoint.method === 'GET' ? '' : `--request ${endpoint.method} `}${quoted(`${base}${path}${search ? `?${search}` : ''}`)}`,
    ...curlCredentials(endpoint.operation, document, new URL(base).origin, posts),
    ...data,
  ].join(' \\\n  ')
}

const camelCase = (segment: string): string => segment.replace(/-([a-z])/g, (_all, letter) => letter.toUpperCase())

/** The method names of the published client: `/sign-in/email` is `signIn.email`. */
const isNamed = (path: string): boolean => /^(?:\/[a-z0-9]+(?:-[a-z]+)*)+$/.test(path) && !/\/[0-9]/.test(path)

const literal = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')

/** The call with the published client. It uses `$fetch` if the client has no method for the endpoint. */
export function clientExample(endpoint: DocumentedEndpoint): string {
  const { path, query, body, form } = exampleCall(endpoint)
  const { method } = endpoint
  const search = Object.keys(query).length > 0 ? { query } : {}
  // The methods of the client send GET or POST.
  if (!isNamed(path) || form || (method !== 'GET' && method !== 'POST')) {
    const options = literal({ method, ...search, ...(body && !form ? { body } : {}) })
    const withForm = form ? options.replace(/\n\}$/, `,\n  body: new URLSearchParams(${literal(body)}),\n}`) : options
    return `await authClient.$fetch(${JSON.stringify(path)}, ${withForm})`
  }
  const name = path.slice(1).split('/').map(camelCase).join('.')
  const empty = !body || Object.keys(body).length === 0
  const given = { ...body, ...search, ...(method === 'POST' && empty ? { fetchOptions: { method } } : {}) }
  return `await authClient.${name}(${Object.keys(given).length > 0 ? literal(given) : ''})`
}
