import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { optionalOrganization } from '../membership/membership.answers.ts'
import { organizationErrors as errors } from '../membership/membership.errors.ts'

const permissions = z.record(z.string().max(64), z.array(z.string().max(64)).max(64))

export const rolesContract = {
  hasPermission: endpoint({
    method: 'POST',
    path: '/organization/has-permission',
    summary: "Whether one of the caller's roles allows all of the given actions",
    access: 'session',
    body: z
      .object({
        permissions: permissions.optional(),
        /** Deprecated name of the same. */
        permission: permissions.optional(),
        organizationId: optionalOrganization,
      })
      .refine((body) => body.permissions ?? body.permission, { path: ['permissions'], message: 'is required' }),
    answer: z.object({ error: z.null(), success: z.boolean() }),
    errors: [core.UNAUTHORIZED, errors.NO_ACTIVE_ORGANIZATION, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION],
    budget: { d1: 1 },
    changes: [],
  }),
}
