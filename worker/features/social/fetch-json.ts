import { Fault } from '../../kit/errors.ts'
import type { Profile, ProviderContext } from './provider.ts'

/** The most that an answer of a provider may hold. */
const mostBytes = 512 * 1024

/** What we call ourselves; some providers (GitHub, Reddit) answer nobody who does not. */
export const userAgent = 'Gatehouse/1.0 (account platform)'

/** A provider's answer that is of no use. Its message goes to the log only. */
export class ProviderAnswerError extends Error {
  override name = 'ProviderAnswerError'
}

/**
 * The JSON of an answer, of any kind.
 * @throws ProviderAnswerError for a status of 3xx or 4xx: it refuses what we asked; Fault where it is out of order
 */
export async function readJson(answer: Response): Promise<unknown> {
  const text = await readLimited(answer)
  refuseOutage(answer)
  if (!answer.ok) throw new ProviderAnswerError(`status ${answer.status}`)
  return parseAnswer(answer, text)
}

/** @throws Fault for a status that says that the provider cannot answer now */
export function refuseOutage({ status }: Response): void {
  if (status >= 500 || status === 429) throw outOfOrder(`status ${status}`)
}

/** @throws for what is not JSON: Fault where it says that all is well, otherwise ProviderAnswerError */
export function parseAnswer({ ok, status }: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw ok ? outOfOrder('the answer is no JSON') : new ProviderAnswerError(`status ${status}, and no JSON`)
  }
}

/** A provider that does not answer as it should: nobody who asks us is to blame. */
export const outOfOrder = (message: string): Fault => new Fault('provider', new ProviderAnswerError(message))

/** The text of an answer. @throws ProviderAnswerError as soon as it is too long; Fault when it breaks off */
export async function readLimited(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > mostBytes) throw new ProviderAnswerError('the answer is too long')
      text += decoder.decode(chunk, { stream: true })
    }
  } catch (thrown) {
    throw thrown instanceof ProviderAnswerError ? thrown : new Fault('provider', thrown)
  }
  return text + decoder.decode()
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

/**
 * Asks a provider for JSON.
 * @throws ProviderAnswerError for what it refuses; Fault where it is out of order, or silent for 5 s
 */
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

/** The same, where only an object makes sense. */
export async function getObject(
  context: Pick<ProviderContext, 'outside'>,
  url: string,
  request?: JsonRequest,
): Promise<Profile> {
  const value = await getJson(context, url, request)
  if (!isObject(value)) throw new ProviderAnswerError('the answer is no object')
  return value
}
