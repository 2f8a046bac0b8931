import type { CaptchaProvider } from '../../features/captcha/captcha.config.ts'
import { interceptOutside } from './intercept.ts'
import { inTrouble, type Trouble } from './trouble.ts'

/**
 * The verification endpoint of a captcha provider, as the three documentations describe it: the format of requests and
 * answers, and the rule that an answer of the widget is valid for one check.
 */

/** A response of the widget. It is valid once; reCAPTCHA v3 adds a score. */
interface WidgetAnswer {
  score?: number
}

const documentation = {
  'cloudflare-turnstile': {
    url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    types: ['application/json', 'application/x-www-form-urlencoded'],
    codes: { secret: 'invalid-input-secret', missing: 'missing-input-response', used: 'timeout-or-duplicate' },
  },
  'google-recaptcha': {
    url: 'https://www.google.com/recaptcha/api/siteverify',
    types: ['application/x-www-form-urlencoded'],
    codes: { secret: 'invalid-input-secret', missing: 'missing-input-response', used: 'timeout-or-duplicate' },
  },
  hcaptcha: {
    url: 'https://api.hcaptcha.com/siteverify',
    types: ['application/x-www-form-urlencoded'],
    codes: {
      secret: 'invalid-input-secret',
      missing: 'missing-input-response',
      used: 'invalid-or-already-seen-response',
    },
  },
} as const

export const captchaSecret = 'captcha-secret'
export const captchaSiteKey = 'site-key'

export class CaptchaService {
  /** The fields of every request. */
  readonly questions: Record<string, string>[] = []
  private readonly answers = new Map<string, WidgetAnswer>()
  private trouble: Trouble | null = null
  private given = 0

  constructor(
    readonly provider: CaptchaProvider,
    readonly url: string = documentation[provider].url,
  ) {}

  /** Sends all outside requests to this fake, which rejects other addresses. Restore with vi.restoreAllMocks(). */
  install(): this {
    interceptOutside((request, signal) => this.receive(request, signal))
    return this
  }

  /** Solves the widget as a visitor. @returns the response that the widget passes to the page */
  solve(answer: WidgetAnswer = {}): string {
    const token = `widget-answer-${++this.given}`
    this.answers.set(token, answer)
    return token
  }

  /** Puts the service out of order; null restores it. */
  breakDown(trouble: Trouble | null): void {
    this.trouble = trouble
  }

  private async receive(request: Request, signal?: AbortSignal | null): Promise<Response> {
    if (this.trouble) return inTrouble(this.trouble, signal)
    const { types, codes } = documentation[this.provider]
    if (request.url !== this.url || request.method !== 'POST') return new Response('Not Found', { status: 404 })
    const type = (request.headers.get('content-type') ?? '').split(';')[0]!
    if (!(types as readonly string[]).includes(type)) return new Response('Unsupported Media Type', { status: 415 })
    const text = new TextDecoder().decode(await request.arrayBuffer())
    const fields: Record<string, string> =
      type === 'application/json' ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
    this.questions.push(fields)
    const fail = (code: string) => Response.json({ success: false, 'error-codes': [code] })
    if (fields.secret !== captchaSecret) return fail(codes.secret)
    if (!fields.response) return fail(codes.missing)
    if (fields.sitekey !== undefined && fields.sitekey !== captchaSiteKey) return fail('sitekey-secret-mismatch')
    const answer = this.answers.get(fields.response)
    this.answers.delete(fields.response)
    if (!answer) return fail(codes.used)
    return Response.json({ success: true, challenge_ts: new Date().toISOString(), hostname: 'localhost', ...answer })
  }
}
