import type { CaptchaProvider } from './captcha.config.ts'

/** What is asked of a provider about an answer that a browser brought. */
export interface Question {
  secret: string
  response: string
  remoteip: string | null
  siteKey: string
}

/** How a provider is asked, and where its widget comes from: data, as its documentation says. */
export interface ProviderFacts {
  siteVerifyUrl: string
  body: 'json' | 'form'
  /** Whether the site key goes along. */
  sendsSiteKey: boolean
  widget: {
    script: string
    /** The global that the script brings. */
    global: string
    /** What a Content Security Policy has to allow for the widget, and nothing more. */
    hosts: readonly string[]
  }
}

export const captchaProviders: Readonly<Record<CaptchaProvider, ProviderFacts>> = {
  // https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
  'cloudflare-turnstile': {
    siteVerifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    body: 'json',
    sendsSiteKey: false,
    widget: {
      script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
      global: 'turnstile',
      hosts: ['https://challenges.cloudflare.com'],
    },
  },
  // https://developers.google.com/recaptcha/docs/verify
  'google-recaptcha': {
    siteVerifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
    body: 'form',
    sendsSiteKey: false,
    widget: {
      script: 'https://www.google.com/recaptcha/api.js?render=explicit',
      global: 'grecaptcha',
      hosts: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    },
  },
  // https://docs.hcaptcha.com/#verify-the-user-response-server-side
  hcaptcha: {
    siteVerifyUrl: 'https://api.hcaptcha.com/siteverify',
    body: 'form',
    sendsSiteKey: true,
    widget: {
      script: 'https://js.hcaptcha.com/1/api.js?render=explicit',
      global: 'hcaptcha',
      hosts: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    },
  },
}

/** The request of a question. */
export function requestOf(facts: ProviderFacts, { secret, response, remoteip, siteKey }: Question): RequestInit {
  const fields = {
    secret,
    response,
    ...(remoteip === null ? {} : { remoteip }),
    ...(facts.sendsSiteKey && siteKey ? { sitekey: siteKey } : {}),
  }
  return facts.body === 'json'
    ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }
    : { method: 'POST', body: new URLSearchParams(fields) }
}

/**
 * What a provider's answer says of the person.
 * @param minScore what reCAPTCHA v3 has to give; the others give no score
 * @returns null for what is not an answer of a provider
 */
export function readVerdict(answer: unknown, minScore: number): boolean | null {
  if (typeof answer !== 'object' || answer === null || !('success' in answer)) return null
  const { success, score } = answer as { success: unknown; score?: unknown }
  if (typeof success !== 'boolean') return null
  return success && (typeof score !== 'number' || score >= minScore)
}
