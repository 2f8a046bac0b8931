import { TryLater } from '../../kit/errors.ts'
import { plainName } from '../../kit/inputs.ts'
import { seconds } from '../../kit/time.ts'
import { noIo } from '../io.ts'
import { reasonOf } from '../log.ts'
import { outside } from '../outside.ts'
import { type Sender, Undeliverable } from './mail.ts'

/**
 * The meaning of a provider's rejection: `delivered`: it has this mail already; `undeliverable`: no retry can succeed.
 */
export interface MailRefusal {
  /** Contains no address or other part of the mail, because it is logged. */
  reason: string
  /** The required change. */
  advice: string
  meaning?: 'delivered' | 'undeliverable'
}

/** One provider's HTTP API. */
export interface MailApi {
  provider: string
  url: string
  headers: Record<string, string>
  body: object
  /** Whether a 2xx answer accepts the mail. @param answer parsed JSON; null for other bodies */
  isTaken(answer: unknown): boolean
  refusal(status: number, answer: unknown): MailRefusal
}

/** Timeout of a provider. */
const requestTimeout = seconds(10)

/** The pause before the next request if a provider names no time. */
const shortPause = seconds(60)

/** Hands one mail to a provider. @throws Undeliverable, TryLater (429), or an Error that says what to change */
export async function sendByApi(api: MailApi): Promise<void> {
  const { provider } = api
  let response: Response
  try {
    response = await outside(noIo())(api.url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...api.headers },
      body: JSON.stringify(api.body),
      timeout: requestTimeout,
    })
  } catch (thrown) {
    throw new Error(`${provider} could not be reached (${reasonOf(thrown)}): the mail is sent again later.`, {
      cause: thrown,
    })
  }
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) {
    if (api.isTaken(answer)) return
    throw new Error(`${provider} returned an undocumented response: the mail is sent again later.`)
  }
  const { reason, advice, meaning } = api.refusal(response.status, answer)
  if (meaning === 'delivered') return
  const message = `${provider} did not take a mail (status ${response.status}, ${reason}): ${advice}.`
  if (meaning === 'undeliverable') throw new Undeliverable(message)
  if (response.status === 429) throw new TryLater(message, pauseOf(response.headers))
  throw new Error(message)
}

/** Retry-After in seconds (RFC 9110, section 10.2.3). Mail providers do not use its other form, a date. */
function pauseOf(headers: Headers): number {
  const pause = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(pause) ? Number(pause) : shortPause
}

/** `"Acme, Inc." <accounts@acme.example>` (RFC 5322, section 3.4). */
export const mailboxOf = ({ name, address }: Sender): string =>
  name === '' ? address : `"${plainName(name).replace(/["\\]/g, '\\$&')}" <${address}>`

/** A field of a JSON answer, as text. */
export const fieldOf = (answer: unknown, name: string): string => {
  const value = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
