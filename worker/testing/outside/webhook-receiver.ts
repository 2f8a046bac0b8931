import { Buffer } from 'node:buffer'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'
import { inTrouble, type Trouble, timeOutAtOnce } from './trouble.ts'

/** A message that a receiver has accepted. */
export interface ReceivedMessage {
  id: string
  type: string
  timestamp: string
  data: Record<string, any>
}

/** A secret in the form of Standard Webhooks. */
export const webhookSecret = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`

/** A third-party receiver of webhooks. It checks signatures with the published library of Standard Webhooks. */
export class WebhookReceiver {
  /** The accepted messages in the order of their arrival. */
  readonly taken: ReceivedMessage[] = []
  /** Every request, accepted or not. */
  readonly requests: { id: string; body: string; headers: Headers }[] = []
  /** The response in place of an acceptance: a status, or an outage; null: accepts messages. */
  answers: number | Trouble | null = null
  /** The same for single messages. */
  answersTo: (message: ReceivedMessage) => number | null = () => null
  /** Runs before the receiver accepts a message. */
  meanwhile: () => Promise<void> = async () => {}

  constructor(
    readonly url = 'https://hooks.acme.example.com/gatehouse',
    readonly secret = webhookSecret('a'),
  ) {}

  /** The types of the accepted messages. */
  get types(): string[] {
    return this.taken.map(({ type }) => type)
  }

  async receive(request: Request, signal?: AbortSignal | null): Promise<Response> {
    const body = await request.text()
    const { headers } = request
    const id = headers.get('webhook-id') ?? ''
    this.requests.push({ id, body, headers })
    if (typeof this.answers === 'string') return inTrouble(this.answers, signal)
    if (this.answers !== null) return new Response('no', { status: this.answers, headers: { location: '/elsewhere' } })
    const message = { id, ...(new Webhook(this.secret).verify(body, Object.fromEntries(headers)) as object) }
    const status = this.answersTo(message as ReceivedMessage)
    if (status !== null) return new Response('no', { status })
    await this.meanwhile()
    this.taken.push(message as ReceivedMessage)
    return new Response(null, { status: 204 })
  }
}

/**
 * Sends all outside requests to these receivers, or to a fake that was installed before. Any other request fails.
 * Restore with vi.restoreAllMocks().
 */
export function installReceivers(...receivers: WebhookReceiver[]): void {
  const before = vi.isMockFunction(globalThis.fetch) ? vi.mocked(globalThis.fetch).getMockImplementation() : undefined
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeOutAtOnce)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const receiver = receivers.find(({ url }) => url === request.url)
    if (receiver && request.method === 'POST') return receiver.receive(request, init?.signal)
    if (!before) throw new Error(`no receiver at ${request.url}`)
    return before(input, init)
  })
}
