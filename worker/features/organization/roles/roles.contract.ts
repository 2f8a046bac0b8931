import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { boundedRecord } from '../../../kit/bounded-record.ts'
import { optionalOrganization } from '../model/membership.schemas.ts'
import { organizationErrors as errors } from '../organization.errors.ts'

const permissions = boundedRecord(z.string().max(64), z.array(z.string().max(64)).max(64), 100)

export const rolesContract = {
  hasPermission: post('/organization/has-permission', {
    summary: 'Checks whether a role of the caller has all of the given permissions',
    access: 'session',
    input: {
      body: z
        .object({
          permissions: permissions.optional(),
          /** Deprecated name of the same. */
          permission: permissions.optional(),
          organizationId: optionalOrganization,
        })
        .refine((body) => body.permissions ?? body.permission, { path: ['permissions'], message: 'is required' }),
    },
    answer: z.object({ error: z.null(), success: z.boolean() }),
    errors: [core.UNAUTHORIZED, errors.NO_ACTIVE_ORGANIZATION, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION],
    budget: { d1: 1 },
    changes: [],
  }),
}
