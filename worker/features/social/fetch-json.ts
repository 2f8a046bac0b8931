import type { Profile, ProviderContext } from './provider.ts'

/** The most that an answer of a provider may hold. */
const mostBytes = 512 * 1024

/** What we call ourselves; some providers (GitHub, Reddit) answer nobody who does not. */
export const userAgent = 'Gatehouse/1.0 (account platform)'

/** A provider's answer that is of no use. Its message goes to the log only. */
export class ProviderAnswerError extends Error {
  override name = 'ProviderAnswerError'
}

/** The JSON of an answer, of any kind. @throws ProviderAnswerError for another status than 2xx, or for what is no JSON */
export async function readJson(answer: Response): Promise<unknown> {
  const text = await readLimited(answer)
  if (!answer.ok) throw new ProviderAnswerError(`status ${answer.status}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderAnswerError('the answer is no JSON')
  }
}

/** The text of an answer. @throws ProviderAnswerError as soon as it is too long */
export async function readLimited(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw new ProviderAnswerError('the answer is too long')
    text += decoder.decode(chunk, { stream: true })
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
 * @throws ProviderAnswerError for another status than 2xx and for what is no JSON; TimeoutError after 5 s
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
