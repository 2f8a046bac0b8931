import type { HonoRequest } from 'hono'
import type * as z from 'zod'
import { AppError } from '../kit/errors.ts'
import { readText } from '../platform/outside.ts'
import type { Endpoint } from './endpoint.ts'
import { httpErrors } from './http.errors.ts'
import { tooLongIn } from './lengths.ts'

/** Limits of a request body: bytes, and depth of its JSON. */
const limits = { bytes: 64 * 1024, depth: 12 }

export interface Issue {
  path: string
  message: string
}

/** 400 VALIDATION_ERROR with the invalid fields. */
export function validationError(what: 'body' | 'query' | 'path', issues: Issue[]): AppError {
  const reasons = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  return new AppError(400, 'VALIDATION_ERROR', `Invalid ${what} parameters${reasons ? `: ${reasons}` : ''}`, {
    extra: { issues },
  })
}

/** The value in its schema's shape. Lengths are checked before patterns. @throws VALIDATION_ERROR */
export function validate<S extends z.ZodType>(schema: S, value: unknown, what: 'body' | 'query' | 'path'): z.output<S> {
  const tooLong = tooLongIn(schema, value)
  const result = tooLong.length === 0 ? schema.safeParse(value) : null
  if (result?.success) return result.data
  const issues = result?.error.issues ?? tooLong
  throw validationError(
    what,
    issues.slice(0, 10).map(({ path, message }) => ({ path: path.join('.').slice(0, 100), message })),
  )
}

/**
 * The body limit of incoming webhooks, where an event may hold all data of a customer, and of directories, which send
 * groups and bulk requests.
 */
const largeBytes = 1024 * 1024

/** @throws PAYLOAD_TOO_LARGE */
async function readBodyText(request: Request, maxBytes = limits.bytes): Promise<string> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  const text = declared > maxBytes ? null : await readText(request, maxBytes)
  if (text === null) throw httpErrors.PAYLOAD_TOO_LARGE()
  return text
}

/** Whether JSON is nested more deeply than a body may be. */
export function isTooDeep(value: unknown, left = limits.depth): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  return Object.values(value).some((item) => isTooDeep(item, left - 1))
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw validationError('body', [{ path: '', message: 'not valid JSON' }])
  }
  if (isTooDeep(value)) throw validationError('body', [{ path: '', message: 'nested too deeply' }])
  return value
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * The body of a request, parsed but not validated: JSON, or a form without a cookie (a foreign page can send one) or
 * for a protocol that posts forms. An empty body is undefined. @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 */
export async function readBody(request: Request, forms: boolean): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
  if (formTypes.includes(type) && (forms || !request.headers.has('cookie'))) {
    const text = await readBodyText(request)
    let form: FormData
    try {
      form = await new Response(text, { headers: { 'content-type': request.headers.get('content-type')! } }).formData()
    } catch {
      throw validationError('body', [{ path: '', message: 'not a valid form' }])
    }
    const fields: Record<string, string> = {}
    for (const [name, value] of form) if (typeof value === 'string' && name !== '__proto__') fields[name] = value
    return fields
  }
  const text = await readBodyText(request)
  if (text === '') return undefined
  if (type !== 'application/json') {
    throw validationError('body', [{ path: '', message: 'the content type must be application/json' }])
  }
  return parseJson(text)
}

/** The validated parameters of the address of a request. */
export interface AddressInput {
  params: unknown
  query: unknown
}

/** The validated body of a request. */
export interface BodyInput {
  body: unknown
  /** The exact text of the body, for an endpoint with `raw`; otherwise empty. */
  raw: string
}

/** The validated input of a request. */
export type Input = AddressInput & BodyInput

/** Reads and validates the input of an endpoint in two parts. @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE */
export interface InputReader {
  address(request: HonoRequest): AddressInput
  body(request: Request): Promise<BodyInput>
}

export function inputReader(endpoint: Endpoint): InputReader {
  const { input: { params, query, body, raw } = {}, access } = endpoint
  // Most requests have no query, so the empty one is validated once.
  let emptyQuery: unknown
  const readQuery = (request: HonoRequest) => {
    if (!query) return undefined
    if (request.url.includes('?')) return validate(query, request.query(), 'query')
    emptyQuery ??= validate(query, {}, 'query')
    return emptyQuery
  }
  const maxBytes = access === 'webhook' || access === 'directory' ? largeBytes : undefined
  return {
    address: (request) => ({
      params: params && validate(params, request.param(), 'path'),
      query: readQuery(request),
    }),
    body: async (request) => ({
      raw: raw ? await readBodyText(request, maxBytes) : '',
      body: body && validate(body, await bodyOf(request, body, endpoint), 'body'),
    }),
  }
}

/** An absent body is `{}` if the schema requires nothing; otherwise the schema names the missing fields. */
async function bodyOf(request: Request, schema: z.ZodType, { method, origins }: Endpoint): Promise<unknown> {
  const body = await readBody(request, origins?.forms ?? false)
  if (body !== undefined) return body
  const isOptional = schema.safeParse({}).success && method === 'POST'
  if (isOptional && request.headers.get('content-type') === null) return {}
  throw validationError('body', [{ path: '', message: 'a JSON object is required' }])
}
