import { routes } from '../../http/routes.ts'
import { brandContract } from './brand.contract.ts'
import { brandStyle } from './brand.ts'

export const brandRoutes = routes(brandContract, {
  brandStyle: ({ scope }) =>
    new Response(brandStyle(scope), {
      headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' },
    }),
})
