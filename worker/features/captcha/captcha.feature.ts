import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import type { Scope } from '../../identity/scope.ts'
import { captchaOptions } from './captcha.config.ts'
import { captchaContract, type OptionalPublicConfiguration } from './captcha.contract.ts'
import { requireCaptcha } from './captcha.steps.ts'
import { widgetPage } from './widget-page.ts'

export const captcha = defineFeature({
  name: 'captcha',
  steps: {
    guarding: requireCaptcha,
  },
  routes: routes(captchaContract, {
    captchaWidget: ({ scope, query }) => widgetPage(scope, query.theme),
  }),
  options: captchaOptions,
  corsHeaders: () => ({ request: ['x-captcha-response'] }),
  on: (options) => captchaOptions.of({ options }).provider !== null,
  // The widget is in a frame of this Worker: see widget-page.ts.
  contentSources: () => ({ frame: ["'self'"] }),
  publicConfiguration: (scope: Scope): OptionalPublicConfiguration => {
    const { provider, siteKey } = captchaOptions.of(scope)
    return { captcha: { provider: provider!, siteKey } }
  },
})
