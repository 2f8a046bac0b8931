import { isObject, parseJson } from './fetch-json.ts'
import type { Profile } from './provider.ts'

/**
 * The fields of a token response, in JSON (RFC 6749, section 5.1) or form-encoded, which some providers send whatever
 * the Accept header says. @throws for another format, as parseJson does
 */
export function parseTokenResponse(answer: Response, text: string): unknown {
  const body = text.replace(/^\uFEFF/, '').trim()
  return /^[\w.]+=[^<]*$/.test(body) ? Object.fromEntries(new URLSearchParams(body)) : parseJson(answer, body)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isTokenResponse = (value: unknown): boolean =>
  isObject(value) && (isText(value.access_token) || isText(value.error))

/** A response whose fields are in `data`, with them at its top. */
export function withoutEnvelope(answer: Profile): Profile {
  const { data } = answer
  return !isTokenResponse(answer) && isObject(data) && isTokenResponse(data) ? { ...answer, ...data } : answer
}

/** Seconds as a number; undefined without a usable value. */
const lifetimeOf = (value: unknown): number | undefined => {
  const seconds = typeof value === 'number' || isText(value) ? Number(value) : Number.NaN
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

const scopeOf = (value: unknown): string | undefined => {
  const scopes = Array.isArray(value) ? value.filter(isText).join(' ') : value
  return isText(scopes) ? scopes : undefined
}

/**
 * The fields that the library checks, as RFC 6749 defines them. Without DPoP each token is a bearer token, whatever
 * `token_type` says. An optional field with an unusable value is omitted.
 */
export function strictTokenResponse(answer: Profile): Profile {
  const fields = {
    ...answer,
    token_type: 'bearer',
    expires_in: lifetimeOf(answer.expires_in),
    refresh_token: isText(answer.refresh_token) ? answer.refresh_token : undefined,
    scope: scopeOf(answer.scope),
    // id-token.ts verifies it.
    id_token: undefined,
  }
  const isGiven = ([, value]: [string, unknown]) => value !== undefined && value !== null && value !== ''
  return Object.fromEntries(Object.entries(fields).filter(isGiven))
}
