import { Fault } from '../kit/errors.ts'
import { ms, seconds } from '../kit/time.ts'
import type { IoCount } from './io.ts'

export type Outside = (url: string, init?: RequestInit & { timeout?: number }) => Promise<Response>

/** fetch for external services: counted, with a timeout (s), without redirects by default. Unreachable: a Fault. */
export function outside(io: IoCount): Outside {
  return async (url, { timeout = seconds(5), ...init } = {}) => {
    io.outside++
    try {
      return await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(ms(timeout)) })
    } catch (thrown) {
      throw new Fault(new URL(url).host, thrown)
    }
  }
}

/** The text of a body; null as soon as it exceeds `maxBytes`, whatever Content-Length says. */
export async function readText({ body }: Pick<Body, 'body'>, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
