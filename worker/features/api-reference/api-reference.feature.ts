import { defineFeature } from '../../http/feature.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { page } from '../../http/pages/page.ts'
import { routes } from '../../http/routes.ts'
import type { Scope } from '../../identity/scope.ts'
import { apiReferenceOptions } from './api-reference.config.ts'
import { apiReferenceContract } from './api-reference.contract.ts'
import type { Documented } from './documented.ts'
import { referencePage } from './reference-page.ts'

/** If the reference is off, its paths return 404. */
function documented(scope: Scope): Documented {
  const { enabled } = apiReferenceOptions.of(scope)
  if (!(enabled ?? scope.settings.environment === 'development')) throw httpErrors.NOT_FOUND()
  return scope.describeApi() as Documented
}

export const apiReference = defineFeature({
  name: 'api-reference',
  routes: routes(apiReferenceContract, {
    generateSchema: ({ scope }) => ({ ...documented(scope) }),
    reference: ({ scope, query }) => {
      const document = documented(scope)
      if (apiReferenceOptions.of(scope).disableDefaultReference) throw httpErrors.NOT_FOUND()
      return page(referencePage(document, query.q ?? ''), 200, [], true)
    },
  }),
  options: apiReferenceOptions,
})
