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
  /**
   * Whether a score in the answer is one of trust, 1 for a person. That of hCaptcha Enterprise is one of risk, which its
   * own rules have judged.
   */
  scoresTrust: boolean
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
    scoresTrust: false,
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
    scoresTrust: true,
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
    scoresTrust: false,
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

/** Error codes that tell of our own configuration, or of the provider's trouble, and nothing of the person. */
const faults: readonly unknown[] = ['missing-input-secret', 'invalid-input-secret', 'internal-error']

/**
 * What a provider's answer says of the person.
 * @param minScore what a score of trust has to reach
 * @returns a text for what says nothing of them: why
 */
export function readVerdict(facts: ProviderFacts, answer: unknown, minScore: number): boolean | string {
  if (typeof answer !== 'object' || answer === null) return 'not an answer'
  const { success, score, 'error-codes': codes } = answer as Partial<Record<string, unknown>>
  if (typeof success !== 'boolean') return 'not an answer'
  const fault = Array.isArray(codes) && !success ? codes.find((code) => faults.includes(code)) : undefined
  if (fault !== undefined) return String(fault)
  return success && (!facts.scoresTrust || typeof score !== 'number' || score >= minScore)
}
