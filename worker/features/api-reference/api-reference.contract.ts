import * as z from 'zod'
import { get } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'

export const apiReferenceContract = {
  generateSchema: get('/open-api/generate-schema', {
    summary: 'Returns the OpenAPI 3.1 document of this API',
    access: 'visitor',
    answer: z.record(z.string(), z.unknown()),
    errors: [httpErrors.NOT_FOUND],
    budget: {},
    changes: [],
  }),
  reference: get('/reference', {
    summary: 'Returns the API reference as a page',
    access: 'visitor',
    /** Shows only endpoints that contain all of these words. */
    input: { query: z.object({ q: z.string().max(100).optional() }) },
    answer: 'page',
    errors: [httpErrors.NOT_FOUND],
    budget: {},
    changes: [],
  }),
}
