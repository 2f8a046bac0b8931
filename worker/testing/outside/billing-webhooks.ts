import { nextId } from './billing-offers.ts'

/** A webhook, ready to be sent. */
export interface SignedWebhook {
  headers: Record<string, string>
  body: string
}

export const providerSecret = 'polar_whs_fake'

/** Signs a webhook as the provider does (Standard Webhooks): the key is the secret's text. */
export async function signWebhook(
  event: unknown,
  { id = `msg_${nextId()}`, at = new Date(), secret = providerSecret } = {},
): Promise<SignedWebhook> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${timestamp}.${body}`)))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
    },
  }
}
