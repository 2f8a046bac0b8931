import * as z from 'zod'
import { pathPattern } from '../../http/edge/disabled-paths.ts'
import { defineOptions } from '../../kit/options.ts'
import { seconds } from '../../kit/time.ts'

export type CaptchaProvider = 'cloudflare-turnstile' | 'google-recaptcha' | 'hcaptcha'

export const captchaOptions = defineOptions(
  'captcha',
  {
    /** Null: nobody is asked. */
    provider: null as CaptchaProvider | null,
    /** For the widget of the hosted screens. */
    siteKey: '',
    /** Better kept as the secret CAPTCHA_SECRET_KEY. */
    secretKey: '',
    /** Paths below the base path that are guarded, `*` at the end for any rest; empty: those of `defaultEndpoints`. */
    endpoints: [] as readonly string[],
    /** What the keys of reCAPTCHA are made for: 2 has a widget to solve, 3 only a score. For the hosted screens. */
    recaptchaVersion: 2 as 2 | 3,
    /** reCAPTCHA v3: what scores less is taken for a robot. */
    minScore: 0.5,
    /** Another address for the provider's check: a mirror, a stand-in for tests. */
    siteVerifyURLOverride: '',
    /** Seconds to wait for the provider. */
    timeout: seconds(5),
  },
  undefined,
  {
    provider: z.enum(['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha']).nullable(),
    endpoints: z.array(pathPattern),
    recaptchaVersion: z.union([z.literal(2), z.literal(3)]),
    minScore: z.number().min(0).max(1),
    siteVerifyURLOverride: z.union([z.literal(''), z.url()]),
  },
)

/** By the specification, and by other names: `/request-password-reset`, and the sign-up without a password. */
export const defaultEndpoints: readonly string[] = [
  '/sign-up/email',
  '/sign-up/passkey',
  '/sign-in/email',
  '/forget-password',
  '/request-password-reset',
]
