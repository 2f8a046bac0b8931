import type { AuthError, CallOptions, Result } from './types.ts'

const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function reviveDate(_key: string, value: unknown): unknown {
  return typeof value === 'string' && isoDate.test(value) ? new Date(value) : value
}

// Some responses of the protocol (429, captcha) are JSON with the type text/plain: the content decides, not the
// header.
function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text, reviveDate)
  } catch {
    return text
  }
}

function withQuery(url: string, query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    for (const item of Array.isArray(value) ? value : [value]) search.append(key, String(item))
  }
  const text = search.toString()
  return text ? `${url}?${text}` : url
}

function errorOf(response: Response, body: unknown): AuthError {
  const details = body && typeof body === 'object' ? body : {}
  const seconds = Number(response.headers.get('x-retry-after') ?? Number.NaN)
  return {
    ...details,
    ...(Number.isFinite(seconds) ? { retryAfter: seconds } : {}),
    status: response.status,
    statusText: response.statusText,
  }
}

export interface Sent {
  url: string
  method: string
  body: unknown
  options: CallOptions
}

/** Sends one request. It never rejects: the result contains the error, with status 0 without a response. */
export async function send(request: typeof fetch, { url, method, body, options }: Sent): Promise<Result<unknown>> {
  const { query, onSuccess, onError, throw: _throw, headers, ...rest } = options
  const allHeaders = new Headers(headers)
  const init: RequestInit = { credentials: 'include', ...rest, method, headers: allHeaders }
  if (method !== 'GET') {
    allHeaders.set('content-type', 'application/json')
    init.body = JSON.stringify(body ?? {})
  }
  let response: Response
  let text: string
  try {
    response = await request(withQuery(url, query), init)
    text = await response.text()
  } catch (cause) {
    const aborted = cause instanceof Error && cause.name === 'AbortError'
    const error: AuthError = { status: 0, statusText: '', ...(aborted ? { code: 'ABORTED' } : {}) }
    onError?.({ error, response: null })
    return { data: null, error }
  }
  const parsed = parse(text)
  if (!response.ok) {
    const error = errorOf(response, parsed)
    onError?.({ error, response })
    return { data: null, error }
  }
  onSuccess?.({ data: parsed, response })
  return { data: parsed, error: null }
}
