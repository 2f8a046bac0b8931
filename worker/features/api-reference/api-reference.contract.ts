import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { apiReferenceOptions } from './api-reference.config.ts'

export const apiReferenceContract = {
  generateSchema: endpoint({
    method: 'GET',
    path: '/open-api/generate-schema',
    summary: 'The OpenAPI 3.1 document of this API',
    access: 'visitor',
    answer: z.record(z.string(), z.unknown()),
    errors: [httpErrors.NOT_FOUND],
    budget: {},
    changes: [],
  }),
  reference: endpoint({
    method: 'GET',
    path: '/reference',
    alsoAt: (options) => [apiReferenceOptions.of({ options }).path],
    summary: 'The reference as a page',
    access: 'visitor',
    /** Only endpoints that all of these words are found with. */
    query: z.object({ q: z.string().max(100).optional() }),
    answer: 'page',
    errors: [httpErrors.NOT_FOUND],
    budget: {},
    changes: [],
  }),
}
