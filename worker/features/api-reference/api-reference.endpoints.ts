import { defineEndpoints } from '../../http/feature.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { page } from '../../http/pages/page.ts'
import { routes } from '../../http/routes.ts'
import type { Scope } from '../../identity/scope.ts'
import { apiReferenceOptions } from './api-reference.config.ts'
import { apiReferenceContract } from './api-reference.contract.ts'
import type { Documented } from './documented.ts'
import { referencePage } from './reference-page.ts'

/** If the reference is off, its paths return 404. */
async function documented(scope: Scope): Promise<Documented> {
  const { enabled } = apiReferenceOptions.of(scope)
  if (!(enabled ?? scope.settings.environment === 'development')) throw httpErrors.NOT_FOUND()
  return (await scope.shared.describeApi()) as Documented
}

export const apiReferenceEndpoints = defineEndpoints({
  routes: routes(apiReferenceContract, {
    generateSchema: async ({ scope }) => ({ ...(await documented(scope)) }),
    reference: async ({ scope, query }) => {
      const document = await documented(scope)
      if (apiReferenceOptions.of(scope).disableDefaultReference) throw httpErrors.NOT_FOUND()
      return page(referencePage(document, query.q ?? ''), 200, [], true)
    },
  }),
})
