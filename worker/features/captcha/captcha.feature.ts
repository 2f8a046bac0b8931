import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { captchaOptions } from './captcha.config.ts'
import type { OptionalPublicConfiguration } from './captcha.contract.ts'

export const captcha = defineFeature({
  name: 'captcha',
  options: captchaOptions,
  corsHeaders: () => ({ request: ['x-captcha-response'] }),
  on: (options) => captchaOptions.of({ options }).provider !== null,
  // The widget is in a frame of this Worker: see widget-page.ts.
  contentSources: () => ({ frame: ["'self'"] }),
  publicConfiguration: (scope: Scope): OptionalPublicConfiguration => {
    const { provider, siteKey } = captchaOptions.of(scope)
    return { captcha: { provider: provider!, siteKey } }
  },
  places: ['guarding'],
  endpoints: async () => (await import('./captcha.endpoints.ts')).captchaEndpoints,
  parts: async () => (await import('./captcha.parts.ts')).captchaParts,
})
