import * as z from 'zod'
import { pathPattern } from '../../http/edge/disabled-paths.ts'
import { defineOptions, positive, section } from '../../kit/options.ts'
import { seconds } from '../../kit/time.ts'

const captchaProvider = z.enum(['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha'])
export type CaptchaProvider = z.infer<typeof captchaProvider>

export const captchaOptions = defineOptions('captcha', () =>
  section({
    /** null: no captcha. */
    provider: captchaProvider.nullable().default(null),
    /** For the widget of the hosted screens. */
    siteKey: z.string().default(''),
    /** Preferably the secret CAPTCHA_SECRET_KEY. */
    secretKey: z.string().default(''),
    /** Protected paths below the base path; `*` at the end matches any suffix. @default `defaultEndpoints` */
    endpoints: z.array(pathPattern).default([]),
    /** The version of the reCAPTCHA keys: 2 shows a widget, 3 returns a score. For the hosted screens. */
    recaptchaVersion: z.union([z.literal(2), z.literal(3)]).default(2),
    /** reCAPTCHA v3: the minimum accepted score. */
    minScore: z.number().min(0).max(1).default(0.5),
    /** Another address for the provider's check, such as a mirror. */
    siteVerifyURLOverride: z.union([z.literal(''), z.url()]).default(''),
    /** Timeout (s) of a request to the provider. */
    timeout: positive.default(seconds(5)),
  }),
)

/**
 * The endpoints of the specification and equivalent ones: `/request-password-reset` and the sign-up without a password.
 */
export const defaultEndpoints: readonly string[] = [
  '/sign-up/email',
  '/sign-up/passkey',
  '/sign-in/email',
  '/forget-password',
  '/request-password-reset',
]
