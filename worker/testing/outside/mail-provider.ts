import { interceptOutside } from './intercept.ts'
import { inTrouble, type Trouble } from './trouble.ts'

/** An accepted mail. */
export interface TakenMail {
  to: string
  from: string
  subject: string
  text: string
  html: string
}

type Answer = { status: number; body: unknown; headers?: Record<string, string> }

/** The common part of all fake mail providers. They can be out of order, and they store the accepted mails. */
abstract class MailProvider {
  readonly taken: TakenMail[] = []
  /** Addresses that the provider rejects as invalid. */
  readonly wrong = new Set<string>()
  /** The number of requests after which the provider works again. */
  recoverAfter = Number.POSITIVE_INFINITY
  /** The number of requests. */
  asked = 0
  private trouble: Trouble | Answer | null = null

  protected abstract readonly url: string
  protected abstract take(request: Request, body: Record<string, unknown>): Answer

  breakDown(trouble: Trouble | Answer | null): void {
    this.trouble = trouble
  }

  /** Sends all outside requests to this fake. Restore with vi.restoreAllMocks(). */
  install(): this {
    interceptOutside((request, signal) => this.receive(request, signal))
    return this
  }

  private async receive(request: Request, signal?: AbortSignal | null): Promise<Response> {
    this.asked++
    if (this.asked > this.recoverAfter) this.trouble = null
    if (typeof this.trouble === 'string') return inTrouble(this.trouble, signal)
    const { url, method, headers } = request
    const isKnown = url === this.url && method === 'POST' && headers.get('content-type') === 'application/json'
    const body = await request.json<Record<string, unknown>>()
    const answer = this.trouble ?? (isKnown ? this.take(request, body) : { status: 404, body: {} })
    return Response.json(answer.body, { status: answer.status, headers: answer.headers ?? {} })
  }
}

/** Resend's `POST /emails`, as https://resend.com/docs/api-reference/emails/send-email and its error pages describe. */
export class Resend extends MailProvider {
  protected readonly url = 'https://api.resend.com/emails'
  /** The payload of each Idempotency-Key; the real provider stores it for a day. */
  private readonly keys = new Map<string, { payload: string; id: string }>()
  /** Whether the provider accepts the mail and loses the response. */
  losesAnswers = false

  protected take({ headers }: Request, body: Record<string, unknown>): Answer {
    const error = (status: number, name: string, message: string) => ({
      status,
      body: { statusCode: status, name, message },
    })
    if (!headers.get('user-agent')) return { status: 403, body: 'error code: 1010' }
    if (!headers.get('authorization')) return error(401, 'missing_api_key', 'Missing API key')
    if (headers.get('authorization') !== 'Bearer re_right') return error(403, 'invalid_api_key', 'API key is invalid')
    const [to] = body.to as string[]
    if (this.wrong.has(String(to)))
      return error(422, 'validation_error', 'Invalid `to` field. The email address needs…')
    const key = headers.get('idempotency-key') ?? ''
    if (key.length < 1 || key.length > 256) return error(400, 'invalid_idempotency_key', 'between 1-256 chars')
    const payload = JSON.stringify(body)
    const before = this.keys.get(key)
    if (before && before.payload !== payload) return error(409, 'invalid_idempotent_request', 'Same idempotency key')
    const id = before?.id ?? crypto.randomUUID()
    if (!before) {
      this.keys.set(key, { payload, id })
      const { from, subject, text, html } = body as Record<keyof TakenMail, string>
      this.taken.push({ to: String(to), from, subject, text, html })
    }
    return this.losesAnswers ? { status: 502, body: 'Bad Gateway' } : { status: 200, body: { id } }
  }
}

/** Postmark's `POST /email`, as https://postmarkapp.com/developer/api/overview and /email-api describe. */
export class Postmark extends MailProvider {
  protected readonly url = 'https://api.postmarkapp.com/email'
  /** Addresses that have bounced before. */
  readonly inactive = new Set<string>()
  readonly streams: unknown[] = []

  protected take({ headers }: Request, body: Record<string, unknown>): Answer {
    const error = (status: number, ErrorCode: number, Message: string) => ({ status, body: { ErrorCode, Message } })
    if (headers.get('x-postmark-server-token') !== 'right') {
      return error(401, 10, 'No Account or Server API tokens were supplied in the HTTP headers.')
    }
    const { From, To, Subject, TextBody, HtmlBody, MessageStream } = body as Record<string, string>
    if (this.wrong.has(To!)) return error(422, 300, `Invalid 'To' address: '${To}'.`)
    if (this.inactive.has(To!))
      return error(422, 406, 'You tried to send to a recipient that has been marked as inactive.')
    this.taken.push({ to: To!, from: From!, subject: Subject!, text: TextBody!, html: HtmlBody! })
    this.streams.push(MessageStream)
    return {
      status: 200,
      body: { To, SubmittedAt: new Date(0).toISOString(), MessageID: 'm', ErrorCode: 0, Message: 'OK' },
    }
  }
}
