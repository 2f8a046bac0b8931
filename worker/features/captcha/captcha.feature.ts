import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { captchaOptions } from './captcha.config.ts'
import { captchaRoutes } from './captcha.routes.ts'

export const captcha = defineFeature({
  name: 'captcha',
  routes: captchaRoutes,
  options: captchaOptions,
  on: (options) => captchaOptions.of({ options }).provider !== null,
  // The widget stands in a frame that this Worker serves: see widget-page.ts.
  contentSources: () => ({ frame: ["'self'"] }),
  publicConfiguration: (scope: Scope) => {
    const { provider, siteKey } = captchaOptions.of(scope)
    return { captcha: { provider, siteKey } }
  },
})
