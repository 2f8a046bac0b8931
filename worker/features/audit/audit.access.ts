import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { organizationErrors } from '../organization/organization.errors.ts'
import { auditErrors as errors } from './audit.errors.ts'

/** Only the organization's own records, for members with the permission `audit: ['read']`. */
export const readingAudit = {
  access: 'own-session',
  errors: [
    core.UNAUTHORIZED,
    organizationErrors.NO_ACTIVE_ORGANIZATION,
    organizationErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
    errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION,
    errors.INVALID_CURSOR,
  ],
} as const
