import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { brandOptions } from './brand.config.ts'
import { brandContract } from './brand.contract.ts'
import { brandStyle, faviconOf, fontSource, publicBrand, screenTexts } from './brand.ts'

export const brand = defineFeature({
  name: 'brand',
  routes: routes(brandContract, {
    favicon: ({ scope, query }) =>
      new Response(null, {
        status: 302,
        headers: { location: faviconOf(scope, query.theme), 'cache-control': 'public, max-age=300' },
      }),
    texts: ({ scope, query }) => screenTexts(scope, query.language),
    brandStyle: ({ scope }) =>
      new Response(brandStyle(scope), {
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' },
      }),
  }),
  options: brandOptions,
  publicConfiguration: publicBrand,
  contentSources: fontSource,
})
