import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { brandContract } from './brand.contract.ts'
import { brandStyle, faviconOf, screenTexts } from './brand.ts'
import { previewedOptions } from './preview.ts'

export const brandEndpoints = defineEndpoints({
  routes: routes(brandContract, {
    favicon: ({ scope, query }) =>
      new Response(null, {
        status: 302,
        headers: { location: faviconOf(scope, query.theme), 'cache-control': 'public, max-age=300' },
      }),
    texts: ({ scope, query }) => screenTexts(scope, query.language),
    getBrand: ({ scope }) => previewedOptions(scope),
    brandStyle: ({ scope }) =>
      new Response(brandStyle(scope), {
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' },
      }),
  }),
})
