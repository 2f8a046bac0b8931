import { fieldOf, type MailRefusal, mailboxOf, sendByApi } from './http-api.ts'
import type { Transport } from './mail.ts'

/** By the `name` of Resend's errors. */
const advice: Record<string, string> = {
  missing_api_key: 'check RESEND_API_KEY',
  restricted_api_key: 'check what the key in RESEND_API_KEY may do',
  invalid_api_key: 'check RESEND_API_KEY',
  invalid_from_address: 'check mail.from.address',
  validation_error: 'check that the domain of mail.from.address is verified at Resend',
  daily_quota_exceeded: 'raise the quota at Resend',
  monthly_quota_exceeded: 'raise the quota at Resend',
  rate_limit_exceeded: 'the mail is sent again later',
  concurrent_idempotent_requests: 'the mail is sent again later',
}

/** Errors are `{ statusCode, name, message }`. */
function refusal(status: number, answer: unknown): MailRefusal {
  const name = fieldOf(answer, 'name').replace(/\W/g, '').slice(0, 60)
  const found = { reason: name || 'no reason given', advice: advice[name] ?? 'look at the logs of Resend' }
  // A mail with this id was accepted before with a different content, for example another sender name.
  if (status === 409 && name === 'invalid_idempotent_request') return { ...found, meaning: 'delivered' }
  const refusesRecipient = status === 422 && /[`'"]to[`'"] field/i.test(fieldOf(answer, 'message'))
  return refusesRecipient ? { ...found, advice: 'correct the address', meaning: 'undeliverable' } : found
}

/** Resend's `POST /emails`. Requests with the same Idempotency-Key are one mail for a day. */
export const resendTransport =
  (apiKey: string): Transport =>
  ({ id, to, subject, text, html }, from) =>
    sendByApi({
      provider: 'Resend',
      url: 'https://api.resend.com/emails',
      headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': id, 'user-agent': 'gatehouse' },
      body: { from: mailboxOf(from), to: [to], subject, text, html },
      isTaken: (answer) => fieldOf(answer, 'id') !== '',
      refusal,
    })
