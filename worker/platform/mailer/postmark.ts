import { fieldOf, type MailRefusal, mailboxOf, sendByApi } from './http-api.ts'
import type { Transport } from './mail.ts'

/** By Postmark's ErrorCode. */
const advice: Record<string, string> = {
  10: 'check POSTMARK_SERVER_TOKEN',
  400: 'check that mail.from.address is a sender signature at Postmark',
  401: 'confirm the sender signature of mail.from.address at Postmark',
  405: 'check the credits of the Postmark account',
  406: 'the recipient has bounced or complained before; reactivate them at Postmark',
  412: 'the Postmark account waits for its approval',
  413: 'the Postmark account may not send',
}

const inactiveRecipient = '406'
const invalidRequest = '300'

/** Errors are `{ ErrorCode, Message }`. */
function refusal(_status: number, answer: unknown): MailRefusal {
  const code = fieldOf(answer, 'ErrorCode')
  const found = {
    reason: code ? `error ${code}` : 'no reason given',
    advice: advice[code] ?? 'look the error up at https://postmarkapp.com/developer/api/overview#error-codes',
  }
  const refusesRecipient = code === invalidRequest && /['"]to['"]/i.test(fieldOf(answer, 'Message'))
  return code === inactiveRecipient || refusesRecipient ? { ...found, meaning: 'undeliverable' } : found
}

/** Postmark's `POST /email`. It has no idempotency: after a lost response the same mail may be sent twice. */
export const postmarkTransport =
  (token: string, messageStream?: string): Transport =>
  ({ to, subject, text, html }, from) =>
    sendByApi({
      provider: 'Postmark',
      url: 'https://api.postmarkapp.com/email',
      headers: { 'x-postmark-server-token': token },
      body: {
        From: mailboxOf(from),
        To: to,
        Subject: subject,
        TextBody: text,
        HtmlBody: html,
        ...(messageStream ? { MessageStream: messageStream } : {}),
      },
      isTaken: (answer) => fieldOf(answer, 'ErrorCode') === '0',
      refusal,
    })
