import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { captchaContract } from './captcha.contract.ts'
import { widgetPage } from './widget-page.ts'

export const captchaEndpoints = defineEndpoints({
  routes: routes(captchaContract, {
    captchaWidget: ({ scope, query }) => widgetPage(scope, query.theme),
  }),
})
