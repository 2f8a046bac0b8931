import type { AuthenticatorOptions } from './types.ts'

/** Gatehouse could not be asked. This does not mean that the caller is invalid: respond with 503, so that the client repeats. */
export class GatehouseUnavailable extends Error {
  override name = 'GatehouseUnavailable'
  /** For the response of the product. */
  readonly status = 503
}

/** The deployment, as its products call it. */
export interface Gatehouse {
  /** Its origin. */
  url: string
  request: typeof fetch
  /** @param accepted statuses that are an answer @throws GatehouseUnavailable for all others */
  ask(path: string, init: RequestInit, accepted: readonly number[]): Promise<Response>
  /** An operation with the server key. */
  operate(name: string, input: object, accepted: readonly number[]): Promise<Response>
}

/** @throws TypeError for options that cannot work */
export function gatehouseOf(options: AuthenticatorOptions): Gatehouse {
  const { timeout = 5000, serverKey } = options
  if (!URL.canParse(options.url)) throw new TypeError('url: must be the address of Gatehouse')
  const { origin: url } = new URL(options.url)
  if (serverKey !== undefined && !/^gh_sk_[A-Za-z]+$/.test(serverKey)) {
    throw new TypeError('serverKey: must be a server key, gh_sk_...')
  }
  // Looked up for each call: tests and tools replace the global function.
  const request: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)

  async function ask(path: string, init: RequestInit, accepted: readonly number[]): Promise<Response> {
    let answer: Response
    try {
      // Another address must get neither the key nor the cookie.
      answer = await request(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
    } catch (cause) {
      throw new GatehouseUnavailable(`Gatehouse did not answer at ${url}`, { cause })
    }
    if (!answer.ok && !accepted.includes(answer.status)) {
      throw new GatehouseUnavailable(`Gatehouse answered ${answer.status} to ${path}`)
    }
    return answer
  }

  return {
    url,
    request,
    ask,
    operate: (name, input, accepted) =>
      ask(
        `/api/server/${name}`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${serverKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(input),
        },
        accepted,
      ),
  }
}

/** @throws GatehouseUnavailable for a proxy, or an address that is not Gatehouse's */
export async function jsonOf<T>(answer: Response): Promise<T> {
  try {
    return (await answer.json()) as T
  } catch (cause) {
    throw new GatehouseUnavailable('The answer is not one of Gatehouse', { cause })
  }
}
