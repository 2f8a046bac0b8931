import { Buffer } from 'node:buffer'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'
import { inTrouble, type Trouble, timeOutAtOnce } from './trouble.ts'

/** A message that a receiver has taken. */
export interface ReceivedMessage {
  id: string
  type: string
  timestamp: string
  data: Record<string, any>
}

/** A secret in the form that Standard Webhooks gives it. */
export const webhookSecret = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`

/** Somebody's receiver of webhooks: it checks signatures by the published library of Standard Webhooks. */
export class WebhookReceiver {
  /** What was taken, in the order in which it arrived. */
  readonly taken: ReceivedMessage[] = []
  /** Every request that came, taken or not. */
  readonly requests: { id: string; body: string; headers: Headers }[] = []
  /** Instead of taking messages: a status, or being out of order; null: it works. */
  answers: number | Trouble | null = null
  /** The same for single messages. */
  answersTo: (message: ReceivedMessage) => number | null = () => null
  /** Run while a message is being taken. */
  meanwhile: () => Promise<void> = async () => {}

  constructor(
    readonly url = 'https://hooks.acme.example.com/gatehouse',
    readonly secret = webhookSecret('a'),
  ) {}

  /** The messages that were taken, by type. */
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
 * From now on all outside requests end at these, or at whoever was installed before; any to somewhere else fails.
 * Restore with vi.restoreAllMocks().
 */
export function installReceivers(...receivers: WebhookReceiver[]): void {
  const before = vi.isMockFunction(globalThis.fetch) ? vi.mocked(globalThis.fetch).getMockImplementation() : undefined
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeOutAtOnce)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const receiver = receivers.find(({ url }) => url === request.url)
    if (receiver && request.method === 'POST') return receiver.receive(request, init?.signal)
    if (!before) throw new Error(`nobody is at ${request.url}`)
    return before(input, init)
  })
}
