import type * as z from 'zod'
import { AppError } from '../kit/errors.ts'
import { httpErrors } from './http.errors.ts'

/** The most that a request body may hold: bytes, and depth of its JSON. */
const limits = { bytes: 64 * 1024, depth: 12 }

export interface Issue {
  path: string
  message: string
}

/** 400 VALIDATION_ERROR, which says what is wrong and where. */
export function validationError(what: 'body' | 'query' | 'path', issues: Issue[]): AppError {
  const reasons = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  return new AppError(400, 'VALIDATION_ERROR', `Invalid ${what} parameters${reasons ? `: ${reasons}` : ''}`, {
    extra: { issues },
  })
}

/** The value in its schema's shape. @throws VALIDATION_ERROR */
export function validate<S extends z.ZodType>(schema: S, value: unknown, what: 'body' | 'query' | 'path'): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw validationError(
    what,
    result.error.issues.slice(0, 10).map(({ path, message }) => ({ path: path.join('.').slice(0, 100), message })),
  )
}

/** The most that a service tells us by a webhook: all that a customer has may be in it, and it does not come in parts. */
export const webhookBytes = 1024 * 1024

/** The bytes of a body, or 413 as soon as there are too many, whatever Content-Length says. */
export async function readText(request: Request, most = limits.bytes): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw httpErrors.PAYLOAD_TOO_LARGE()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw httpErrors.PAYLOAD_TOO_LARGE()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function isTooDeep(value: unknown, left: number): boolean {
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
  if (isTooDeep(value, limits.depth)) throw validationError('body', [{ path: '', message: 'nested too deeply' }])
  return value
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * The body of a request, parsed but not yet validated: JSON, or a form where there is no cookie that a foreign page
 * could ride on (or where the endpoint's protocol posts forms). An empty body is undefined.
 * @throws VALIDATION_ERROR for what cannot be read, PAYLOAD_TOO_LARGE
 */
export async function readBody(request: Request, forms: boolean): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
  if (formTypes.includes(type) && (forms || !request.headers.has('cookie'))) {
    const text = await readText(request)
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
  const text = await readText(request)
  if (text === '') return undefined
  if (type !== 'application/json') {
    throw validationError('body', [{ path: '', message: 'the content type must be application/json' }])
  }
  return parseJson(text)
}
