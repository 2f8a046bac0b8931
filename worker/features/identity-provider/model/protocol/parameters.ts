import { isTooDeep } from '../../../../http/body.ts'
import { oauthError } from '../../identity-provider.errors.ts'

/** The parameters of a request. A parameter without a value counts as absent (RFC 6749, section 3.1). */
export type Parameters = Readonly<Record<string, string | undefined>>

export interface ReadParameters {
  given: Parameters
  /** Names of repeated parameters (invalid by RFC 6749, section 3.1); `given` contains the first value. */
  repeated: string[]
}

/** A request may carry several of these (RFC 8707, section 2). The value is the list of them, joined by spaces. */
const repeatable = ['resource']

export function readParameters(pairs: Iterable<[string, string]>): ReadParameters {
  const given: Record<string, string> = Object.create(null)
  const repeated: string[] = []
  for (const [name, value] of pairs) {
    if (value === '') continue
    if (given[name] === undefined) given[name] = value
    else if (repeatable.includes(name)) given[name] = words(`${given[name]} ${value}`).join(' ')
    else repeated.push(name)
  }
  return { given, repeated }
}

/** The parameters of a POST: a form (RFC 6749, appendix B) or a JSON object. @throws invalid_request */
export function readBodyParameters(raw: string, contentType: string | null): Parameters {
  if (raw.trim() === '') throw oauthError('invalid_request', 'request body not found')
  if (mediaTypeOf(contentType) !== 'application/json') {
    const { given, repeated } = readParameters(new URLSearchParams(raw))
    if (repeated.length > 0) throw oauthError('invalid_request', `${repeated[0]} must not be repeated`)
    return given
  }
  const body = parseObject(raw)
  const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return readParameters(texts).given
}

const mediaTypeOf = (contentType: string | null): string => (contentType ?? '').split(';')[0]!.trim().toLowerCase()

/** The JSON object of a POST that accepts no form. @throws invalid_request */
export function readJsonObject(raw: string, contentType: string | null): Record<string, unknown> {
  if (mediaTypeOf(contentType) !== 'application/json') {
    throw oauthError('invalid_request', 'the content type must be application/json')
  }
  return parseObject(raw)
}

/** @throws invalid_request unless it is a JSON object of bounded depth */
function parseObject(raw: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(raw)
  } catch {
    throw oauthError('invalid_request', 'request body is not valid JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw oauthError('invalid_request', 'request body is not an object')
  }
  if (isTooDeep(body)) throw oauthError('invalid_request', 'request body is nested too deeply')
  return body as Record<string, unknown>
}

/** The words of a list such as `scope`, without duplicates. */
export const words = (text: string | undefined): string[] => [...new Set((text ?? '').split(' ').filter(Boolean))]
