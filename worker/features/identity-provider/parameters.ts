import { oauthError } from './identity-provider.errors.ts'

/** The parameters of a request; one that was sent without a value was not sent (RFC 6749, section 3.1). */
export type Parameters = Readonly<Record<string, string | undefined>>

export interface ReadParameters {
  given: Parameters
  /** Names of parameters that came more than once, which none may (RFC 6749, section 3.1); the first value counts. */
  repeated: string[]
}

/** Those of which a request may carry several (RFC 8707, section 2). */
const several = ['resource']

export function readParameters(pairs: Iterable<[string, string]>): ReadParameters {
  const given: Record<string, string> = Object.create(null)
  const repeated: string[] = []
  for (const [name, value] of pairs) {
    if (value === '') continue
    if (given[name] === undefined) given[name] = value
    else if (several.includes(name) && given[name] !== value) repeated.push(name)
    else if (!several.includes(name)) repeated.push(name)
  }
  return { given, repeated }
}

/**
 * The parameters of a POST: a form (RFC 6749, appendix B), or a JSON object, which some clients send.
 * @throws invalid_request
 */
export function readBodyParameters(raw: string, contentType: string | null): Parameters {
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase()
  if (raw.trim() === '') throw oauthError('invalid_request', 'request body not found')
  if (type !== 'application/json') {
    const { given, repeated } = readParameters(new URLSearchParams(raw))
    if (repeated.length > 0) throw oauthError('invalid_request', `${repeated[0]} must not be repeated`)
    return given
  }
  const body = parseObject(raw)
  const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return readParameters(texts).given
}

/** A JSON object. @throws invalid_request */
export function parseObject(raw: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(raw)
  } catch {
    throw oauthError('invalid_request', 'request body is not valid JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw oauthError('invalid_request', 'request body is not an object')
  }
  return body as Record<string, unknown>
}

/** The words of a parameter that holds a list, such as `scope`, each once. */
export const words = (text: string | undefined): string[] => [...new Set((text ?? '').split(' ').filter(Boolean))]
