import { routes } from '../../http/routes.ts'
import { brandContract } from './brand.contract.ts'
import { brandStyle, faviconOf } from './brand.ts'

export const brandRoutes = routes(brandContract, {
  favicon: ({ scope, query }) =>
    new Response(null, {
      status: 302,
      headers: { location: faviconOf(scope, query.theme), 'cache-control': 'public, max-age=300' },
    }),
  brandStyle: ({ scope }) =>
    new Response(brandStyle(scope), {
      headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' },
    }),
})
