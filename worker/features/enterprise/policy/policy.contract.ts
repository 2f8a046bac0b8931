import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { seconds } from '../../../kit/time.ts'
import { idInput, optionalOrganization } from '../../organization/model/membership.schemas.ts'
import { organizationErrors as shared } from '../../organization/organization.errors.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { managingErrors, maxBreakGlass, policyAnswer } from '../model/enterprise.schemas.ts'
import { policyMethods } from '../model/policies.table.ts'

export const policyContract = {
  updateSignInPolicy: post('/sso/update-policy', {
    summary:
      'Sets the rules for sign-ins with addresses of the verified domains, and ends the sessions that they do not allow',
    access: 'recent-authentication',
    limits: { whenFull: 'secures', rate: { max: 30, window: seconds(60) } },
    input: {
      body: z.object({
        organizationId: optionalOrganization,
        /** Null: all. Empty: single sign-on only. */
        allowedMethods: z.array(z.enum(policyMethods)).max(policyMethods.length).nullable(),
        requiresSecondFactor: z.boolean(),
        joinsAutomatically: z.boolean(),
        /** A right password in an unknown browser always needs a code by mail or a second factor. Absent: unchanged. */
        challengesUnknownDevices: z.boolean().optional(),
        /** Ids of members with the owner role, who may use every way in. */
        breakGlass: z.array(idInput).max(maxBreakGlass),
      }),
    },
    answer: policyAnswer,
    errors: [
      ...managingErrors,
      errors.NO_ACTIVE_CONNECTION,
      errors.BREAK_GLASS_OWNER_IS_REQUIRED,
      shared.MEMBER_NOT_FOUND,
    ],
    budget: { d1: 4, read: 2000, written: 100 },
    changes: ['policy', 'session'],
    audit: 'sso.update-policy',
  }),
}
