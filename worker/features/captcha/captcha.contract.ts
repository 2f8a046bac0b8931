import * as z from 'zod'
import { get } from '../../http/endpoint.ts'

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  captcha: { provider: 'cloudflare-turnstile' | 'google-recaptcha' | 'hcaptcha'; siteKey: string }
}

export const captchaContract = {
  captchaWidget: get('/captcha/widget', {
    summary: 'Returns a page with the CAPTCHA widget, for a frame of the hosted screens',
    access: 'visitor',
    input: { query: z.object({ theme: z.enum(['light', 'dark']).default('light') }) },
    answer: 'page',
    errors: [],
    budget: {},
    changes: [],
  }),
}
