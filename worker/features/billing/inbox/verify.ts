import type { Scope } from '../../../identity/scope.ts'
import { billingOptions } from '../billing.config.ts'
import { billingErrors, webhookError } from '../billing.errors.ts'
import { type BillingEventType, isEventType } from '../events/events.ts'

/** A webhook with a valid signature of the provider. */
export interface Delivery {
  /** The same for each delivery of one message (Standard Webhooks, `webhook-id`). */
  id: string
  type: BillingEventType
  /** The body, not yet validated. */
  event: object
  raw: string
  /** The time of this delivery's signature. */
  signedAt: Date
}

const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
const maxIdLength = 255

/** Verifies a webhook's signature with the provider's SDK, in constant time: at most 300 s old or early. */
export async function verifyWebhook(scope: Scope, request: Request, raw: string): Promise<Delivery> {
  if (raw === '') throw billingErrors.WEBHOOK_BODY_MISSING()
  const secrets = (scope.env.POLAR_WEBHOOK_SECRET || billingOptions.of(scope).webhookSecret || '')
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean)
  if (secrets.length === 0) throw billingErrors.WEBHOOK_SECRET_NOT_FOUND()
  const headers = Object.fromEntries(headerNames.map((name) => [name, request.headers.get(name) ?? '']))
  const id = headers['webhook-id']!
  if (id.length > maxIdLength || /[^\x21-\x7e]/.test(id)) throw webhookError('Invalid Signature Headers')
  const event = await verifyWithAny(raw, headers, secrets)
  const type: unknown = 'type' in event ? event.type : undefined
  if (!isEventType(type)) throw webhookError(`Unknown event type: ${String(type).slice(0, 64)}`)
  return { id, type, event, raw, signedAt: new Date(Number(headers['webhook-timestamp']) * 1000) }
}

/** The SDK rejects unknown event types. Only its check of the signature counts. */
async function verifyWithAny(raw: string, headers: Record<string, string>, secrets: string[]): Promise<object> {
  const { webhooks } = await import('@polar-sh/sdk/2026-10')
  let refusal: unknown
  for (const secret of secrets) {
    try {
      return await webhooks.validateEvent(raw, headers, secret)
    } catch (thrown) {
      refusal = thrown
      if (thrown instanceof webhooks.PolarWebhookUnknownTypeError) return Object(JSON.parse(raw))
      const isVerdict = thrown instanceof webhooks.PolarWebhookVerificationError
      if (!isVerdict || thrown.message !== 'No matching signature found') break
    }
  }
  const reason = refusal instanceof Error ? refusal.message : ''
  if (refusal instanceof webhooks.PolarWebhookVerificationError) {
    throw webhookError(reason === 'Invalid signature headers' ? 'Invalid Signature Headers' : reason)
  }
  if (refusal instanceof webhooks.PolarWebhookError) throw webhookError('Failed to parse event')
  throw refusal
}
