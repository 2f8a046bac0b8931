import { vi } from 'vitest'

/** A request to a system outside, such as the receiver of a stream. */
export interface Received {
  method: string
  url: string
  headers: Headers
  body: string
}

export type Answer = (request: Received) => Response | Promise<Response>

/** A system outside: what it received, and its answers. */
export function outsideSystem(answer: Answer) {
  const received: Received[] = []
  const system = { received, answer }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const headers = new Headers(init?.headers)
    const request = { method: init?.method ?? 'GET', url: String(input), headers, body: String(init?.body) }
    received.push(request)
    return system.answer(request)
  })
  return system
}

export const ok = () => new Response('{}')

/** The records of a request of a stream to a URL. */
export const recordsIn = ({ body }: Received): any[] => JSON.parse(body).data.records
