import { interceptOutside } from './intercept.ts'
import { inTrouble, type Trouble } from './trouble.ts'

/** A mail as a provider has taken it. */
export interface TakenMail {
  to: string
  from: string
  subject: string
  text: string
  html: string
}

type Answer = { status: number; body: unknown; headers?: Record<string, string> }

/** What is the same for the stand-ins of all providers of mail: they can be out of order, and remember what they took. */
abstract class MailProvider {
  readonly taken: TakenMail[] = []
  /** Whose addresses they find wrong. */
  readonly wrong = new Set<string>()
  /** After how many requests the trouble is over. */
  recoverAfter = Number.POSITIVE_INFINITY
  /** How often they were asked. */
  asked = 0
  private trouble: Trouble | Answer | null = null

  protected abstract readonly url: string
  protected abstract take(request: Request, body: Record<string, unknown>): Answer

  breakDown(trouble: Trouble | Answer | null): void {
    this.trouble = trouble
  }

  /** From now on all outside requests end here. Restore with vi.restoreAllMocks(). */
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

/** Resend's `POST /emails`, as https://resend.com/docs/api-reference/emails/send-email and its pages on errors tell. */
export class Resend extends MailProvider {
  protected readonly url = 'https://api.resend.com/emails'
  /** What an Idempotency-Key was used for, for a day. */
  private readonly keys = new Map<string, { payload: string; id: string }>()
  /** The mail is taken, and the answer lost. */
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

/** Postmark's `POST /email`, as https://postmarkapp.com/developer/api/overview and /email-api tell. */
export class Postmark extends MailProvider {
  protected readonly url = 'https://api.postmarkapp.com/email'
  /** Who has bounced before. */
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
