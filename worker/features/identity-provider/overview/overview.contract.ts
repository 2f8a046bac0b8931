import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf } from '../../../kit/page.ts'

/** Scopes by resource. */
const access = z.record(z.string(), listOf(z.string()))

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
          identifier: z.string(),
          /** Each scope with its words. */
          scopes: z.record(z.string(), z.string()),
          tokenFormat: z.enum(['opaque', 'jwt']),
          /** Seconds. */
          accessTokenExpiresIn: z.number(),
          /** The same; null: the lifetime of this server. */
          ownLifetime: z.number().nullable(),
          /** Whether the configuration adds claims to its JWTs. */
          addsClaims: z.boolean(),
          /** Clients that may introspect its tokens. */
          introspectedBy: listOf(z.string()),
        }),
      ),
      services: listOf(
        z.object({
          clientId: z.string(),
          name: z.string(),
          /** `registered`: the credentials of a registered client. */
          credential: z.enum(['secret', 'key', 'workload', 'registered']),
          /** Issuers of the tokens that it exchanges. */
          issuers: listOf(z.string()),
          access,
          requireDPoP: z.boolean(),
          /** Tokens in a time (s). */
          limit: z.object({ max: z.number(), window: z.number() }),
          disabled: z.boolean(),
        }),
      ),
    }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
}
