import type { JsonSchema } from '../../openapi/schemas.ts'
import { boundary, fitting, type Hints, hostile, propertiesOf } from './values.ts'

/** One operation of the OpenAPI document, with the parts that requests need. */
export interface Operation {
  operationId: string
  security: object[]
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

export interface GeneratedRequest {
  /** For the report: the kind and the anomaly of the request. */
  what: string
  path: string
  /** A string is sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Invalid bodies. */
const malformed: [what: string, body: string, headers: Record<string, string>][] = [
  ['nothing', '', json],
  ['half', '{"a":', json],
  ['a list', '[]', json],
  ['null', 'null', json],
  ['a text', '"x"', json],
  ['a number', '1e999', json],
  ['two thousand levels', '['.repeat(2000) + ']'.repeat(2000), json],
  ['a prototype', '{"__proto__":{"role":"admin","accept":true}}', json],
  ['70 kB', `{"a":"${'x'.repeat(70_000)}"}`, json],
  ['lone surrogates', '{"\\ud800":"\\udfff"}', json],
  ['a form', 'a=1&a=2&__proto__=x&%00=%ff', form],
  ['a broken multipart', '--x\r\nnothing', { 'content-type': 'multipart/form-data; boundary=y' }],
  ['plain text', 'hello', { 'content-type': 'text/plain' }],
  ['an unknown type', '{}', { 'content-type': ';;;/' }],
]

/** Headers that an attacker might send. */
const oddHeaders: Record<string, string>[] = [
  { authorization: 'Basic !!!' },
  { authorization: 'Basic Og==' },
  { authorization: 'Bearer ' },
  { authorization: `Bearer ${'x'.repeat(5000)}` },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'DPoP x', dpop: 'a.b.c' },
  { 'x-api-key': `${'x'.repeat(2000)}` },
  { cookie: 'gatehouse.session_token=%E0%A4%A; gatehouse.session_data=x; =;;; a' },
  { cookie: 'gatehouse.session_token=a.b; gatehouse.oidc_login_prompt=x.y; gatehouse.two_factor=z' },
  { origin: 'null' },
  { origin: 'https://localhost:8787.evil.example.org' },
  { 'sec-fetch-mode': 'navigate', accept: 'text/html' },
  { 'accept-language': `de-${'x'.repeat(500)};q=nan`, 'user-agent': '<script>' },
  { 'x-forwarded-for': "1.2.3.4, '; --", 'x-forwarded-host': 'evil.example.org' },
]

const oddParameters = hostile.filter((value): value is string | number => typeof value !== 'object').map(String)

/** Takes the next few of a list, in turn, so that all operations together use all of it. */
function rotation<T>(list: readonly T[], start: number): (count: number) => T[] {
  let at = start
  return (count) => Array.from({ length: count }, () => list[at++ % list.length]!)
}

/** The name of an operation determines its start, so that a new one changes nothing for the others. */
function rotationsFor({ operationId }: Operation) {
  const start = [...operationId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)
  return {
    value: rotation(hostile, start),
    parameter: rotation(oddParameters, start),
    malformed: rotation(malformed, start),
    headers: rotation(oddHeaders, start),
  }
}

function addressOf(path: string, given: Record<string, unknown>, query: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(given[name]).toWellFormed()))
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value).toWellFormed()])
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`
}

/** The same fields as a form; a list is repeated for each item. */
function asForm(request: GeneratedRequest): GeneratedRequest {
  if (typeof request.body !== 'object' || request.body === null) return request
  const pairs = Object.entries(request.body).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [
      name,
      (typeof one === 'object' ? JSON.stringify(one) : String(one)).toWellFormed(),
    ]),
  )
  return { ...request, body: new URLSearchParams(pairs).toString(), headers: { ...form, ...request.headers } }
}

/**
 * The requests for one operation: a valid one, the same with fewer fields, and each field at and beyond its limits. The
 * same operations always give the same requests.
 * @param thorough all of them; otherwise a few, for callers whom `access` rejects
 */
export function requestsFor(path: string, operation: Operation, hints: Hints, thorough: boolean): GeneratedRequest[] {
  const { parameters, requestBody } = operation
  const next = rotationsFor(operation)
  const valuesIn = (where: 'path' | 'query', all: boolean) =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === where && (all || one.required))
        .map(({ name, schema }) => [name, fitting(schema, hints, name)]),
    )
  const [given, query] = [valuesIn('path', true), valuesIn('query', true)]
  const [type = '', { schema = {} } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const encoded = (request: GeneratedRequest) => (type === form['content-type'] ? asForm(request) : request)
  const body = (requestBody ? fitting(schema, hints) : undefined) as Record<string, unknown> | undefined
  const required = (schema.required as string[] | undefined) ?? []
  const least = body && Object.fromEntries(Object.entries(body).filter(([name]) => required.includes(name)))
  const here = addressOf(path, given, query)
  const few: GeneratedRequest[] = [
    { what: 'fitting', path: here, body },
    { what: 'least', path: addressOf(path, given, valuesIn('query', false)), body: least },
    ...next.headers(2).map((headers) => ({ what: `headers ${JSON.stringify(headers)}`, path: here, body, headers })),
  ]
  if (!thorough) return few.map(encoded)
  const fields = Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
    const { [name]: _, ...without } = body!
    return [
      { what: `without ${name}`, path: here, body: without },
      ...[...boundary(property), ...next.value(4)].map((value) => ({
        what: `${name} = ${JSON.stringify(value)?.slice(0, 60)}`,
        path: here,
        body: { ...body, [name]: value },
      })),
    ]
  })
  const addresses = parameters.flatMap(({ name, in: where, schema: wanted }) =>
    [...boundary(wanted), ...next.parameter(3)].map((value) => ({
      what: `${where} ${name} = ${JSON.stringify(value)?.slice(0, 60)}`,
      path:
        where === 'path'
          ? addressOf(path, { ...given, [name]: value }, query)
          : addressOf(path, given, { ...query, [name]: value }),
      body,
    })),
  )
  return [
    ...few,
    {
      what: 'more',
      path: `${here}${here.includes('?') ? '&' : '?'}role=admin&a%5B%5D=1&%ff=%00`,
      body: body && { ...body, role: 'admin', userId: 'x', __more: { a: [1] } },
    },
    ...fields,
    ...addresses,
    ...next.malformed(4).map(([what, text, headers]) => ({ what: `body: ${what}`, path: here, body: text, headers })),
  ].map(encoded)
}
