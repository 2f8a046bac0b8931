import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

/** The bytes of a secret in its written form (Standard Webhooks, "Signature scheme"); null for an invalid one. */
export function readWebhookSecret(text: string | undefined): Buffer | null {
  const encoded = text?.startsWith(prefix) ? text.slice(prefix.length) : ''
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : null
}

/** The headers of a message (Standard Webhooks 1.0): one HMAC for every secret. @param at the time of this try */
export function signedHeaders(message: { id: string; at: Date; body: string }, secrets: readonly Buffer[]) {
  const timestamp = Math.floor(message.at.getTime() / 1000)
  const content = `${message.id}.${timestamp}.${message.body}`
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
