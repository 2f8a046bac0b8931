import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { tokenFormats } from '../identifiers.ts'
import { serviceAnswer } from '../services/services.contract.ts'

export const overviewContract = {
  listResources: get('/admin/list-resources', {
    summary: 'Lists the resource servers of the configuration and of administrators, and the services, without secrets',
    access: { admin: { resource: ['list'] } },
    answer: z.object({
      resources: listOf(
        z.object({
          /** Null: the configuration defines it. */
          id: z.string().nullable(),
          /** Null: the configuration has none. */
          name: z.string().nullable(),
          /** Whose it is; null: of the deployment. */
          organization: z.object({ id: z.string(), name: z.string() }).nullable(),
          identifier: z.string(),
          /** Each scope with its words. */
          scopes: z.record(z.string(), z.string()),
          tokenFormat: z.enum(tokenFormats),
          /** Seconds. */
          accessTokenExpiresIn: z.number(),
          /** The same; null: the lifetime of this server. */
          ownLifetime: z.number().nullable(),
          /** Claims of its JWTs about the user. */
          claims: listOf(z.string()),
          /** Whether a function of the configuration adds claims to its JWTs. */
          addsClaims: z.boolean(),
          /** Clients that may introspect its tokens. */
          introspectedBy: listOf(z.string()),
        }),
      ),
      /** Those of the configuration first. */
      services: listOf(serviceAnswer),
    }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
}
