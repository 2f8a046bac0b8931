import { randomBytes } from 'node:crypto'

/** What a function of the product's own makes a consent page of. */
export interface ConsentQuestion {
  scopes: string[]
  clientId: string
  clientName: string
  clientIcon: string | null
  clientMetadata: Record<string, unknown> | null
  /** `consent_code` of POST /oauth2/consent, which answers with where the browser goes. */
  code: string
  /** Of the page's script elements; no other script runs. */
  nonce: string
}

/** A consent page as HTML. Whatever of the question stands in it has to be escaped. */
export type ConsentHTML = (question: ConsentQuestion) => string | Promise<string>

/** The page that the product's function makes. Its scripts may call us and nobody else. */
export async function consentHTMLPage(make: ConsentHTML, question: Omit<ConsentQuestion, 'nonce'>): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' https: data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return new Response(await make({ ...question, nonce }), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') },
  })
}
