import { Fault } from '../../../kit/errors.ts'
import { readText } from '../../../platform/outside.ts'
import type { Profile, ProviderContext } from './provider.ts'

/** The maximum size of a response. */
const maxBytes = 512 * 1024

/** Some providers (GitHub, Reddit) require a User-Agent. */
export const userAgent = 'Gatehouse/1.0 (account platform)'

/** An invalid response of a provider, or a rejection. Its message goes to the log only. */
export class ProviderResponseError extends Error {
  override name = 'ProviderResponseError'
}

/** The JSON of a response. @throws ProviderResponseError for a status of 3xx or 4xx; Fault for an outage */
export async function readJson(answer: Response): Promise<unknown> {
  const text = await readLimited(answer)
  rejectUnavailable(answer)
  if (!answer.ok) throw new ProviderResponseError(`status ${answer.status}`)
  return parseJson(answer, text)
}

/** @throws Fault for a status that means that the provider is unavailable */
export function rejectUnavailable({ status }: Response): void {
  if (status >= 500 || status === 429) throw providerFault(`status ${status}`)
}

/** @throws for invalid JSON: Fault with a status of success, otherwise ProviderResponseError */
export function parseJson({ ok, status }: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw ok ? providerFault('the response is not JSON') : new ProviderResponseError(`status ${status}, not JSON`)
  }
}

/** An error for which neither the caller nor the user is responsible. */
export const providerFault = (message: string): Fault => new Fault('provider', new ProviderResponseError(message))

/** The body of a response. @throws ProviderResponseError when it is too long; Fault when it is incomplete */
export async function readLimited(answer: Response): Promise<string> {
  const text = await readText(answer, maxBytes).catch((thrown) => {
    throw new Fault('provider', thrown)
  })
  if (text === null) throw new ProviderResponseError('the response is too long')
  return text
}

export const isObject = (value: unknown): value is Profile =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface JsonRequest {
  method?: 'GET' | 'POST'
  /** As a bearer token. */
  accessToken?: string | null
  headers?: Record<string, string>
  /** Form fields, or JSON text with its content type among the headers. */
  body?: URLSearchParams | string
}

/** Requests JSON from a provider. @throws ProviderResponseError when it rejects; Fault for an outage, or after 5 s */
export async function getJson(
  { outside }: Pick<ProviderContext, 'outside'>,
  url: string,
  { method = 'GET', accessToken, headers, body }: JsonRequest = {},
): Promise<unknown> {
  const answer = await outside(url, {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  return readJson(answer)
}

/** The same for an object. */
export async function getObject(
  context: Pick<ProviderContext, 'outside'>,
  url: string,
  request?: JsonRequest,
): Promise<Profile> {
  const value = await getJson(context, url, request)
  if (!isObject(value)) throw new ProviderResponseError('the response is not an object')
  return value
}
