import { defineEndpoints } from '../../http/feature.ts'
import { errorPage } from '../../http/pages/error-page.ts'
import { routes } from '../../http/routes.ts'
import { publicConfigContract } from './public-config.contract.ts'
import { publicConfig } from './public-config.ts'

export const publicConfigurationEndpoints = defineEndpoints({
  routes: routes(publicConfigContract, {
    ok: () => ({ ok: true }),
    checkCallback: () => ({ status: true }),
    error: ({ scope, query }) => errorPage(scope, query.error),
    publicConfig: ({ scope }) => publicConfig(scope),
  }),
})
