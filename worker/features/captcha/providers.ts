import type { CaptchaProvider } from './captcha.config.ts'

/** The question to a provider about a widget response. */
export interface Question {
  secret: string
  response: string
  remoteip: string | null
  siteKey: string
}

/** The verification request of a provider and the source of its widget, as data from its documentation. */
export interface ProviderFacts {
  siteVerifyUrl: string
  body: 'json' | 'form'
  /** Whether the request contains the site key. */
  sendsSiteKey: boolean
  /** Whether a score measures trust, 1 for a human. hCaptcha Enterprise returns risk, which its rules judge. */
  scoresTrust: boolean
  widget: {
    script: string
    /** The global variable of the script. */
    global: string
    /** The minimal Content Security Policy of the widget. */
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

/** The request for a question. */
export function captchaRequestOf(facts: ProviderFacts, { secret, response, remoteip, siteKey }: Question): RequestInit {
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

/** Error codes that report a fault of the configuration or the provider, not of the user. */
const faults: readonly unknown[] = ['missing-input-secret', 'invalid-input-secret', 'internal-error']

/** A provider's verdict, or the reason for its absence as a text. @param minScore the minimum score of trust */
export function readVerdict(facts: ProviderFacts, answer: unknown, minScore: number): boolean | string {
  if (typeof answer !== 'object' || answer === null) return 'not an answer'
  const { success, score, 'error-codes': codes } = answer as Partial<Record<string, unknown>>
  if (typeof success !== 'boolean') return 'not an answer'
  const fault = Array.isArray(codes) && !success ? codes.find((code) => faults.includes(code)) : undefined
  if (fault !== undefined) return String(fault)
  return success && (!facts.scoresTrust || typeof score !== 'number' || score >= minScore)
}
