import { errorPage } from '../../http/pages/error-page.ts'
import { routes } from '../../http/routes.ts'
import { statusContract } from './status.contract.ts'
import { publicConfig } from './status.ts'

export const statusRoutes = routes(statusContract, {
  ok: () => ({ ok: true }),
  checkCallback: () => ({ status: true }),
  error: ({ scope, query }) => errorPage(scope, query.error),
  publicConfig: ({ scope }) => publicConfig(scope),
})
