import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { auditFilter } from '../../../identity/audit/audit-record.schema.ts'
import { securityEventTypes } from '../../../identity/model/security-event-types.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { minutes } from '../../../kit/time.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import { usersFilter } from '../list-users/list-users.contract.ts'

/** The answer is sent in pages. The audit log records each export, with its filter. */
const file = {
  answer: 'csv',
  limits: { rate: { max: 20, window: minutes(10) } },
  // The caller, the first page and the line of the audit log. The other pages follow after the response has begun.
  budget: { d1: 3, read: 6000 },
  changes: ['audit'],
} as const

export const exportContract = {
  exportUsers: post('/admin/export-users', {
    summary: 'Returns all users that match a search and a filter as a CSV file',
    access: { admin: { user: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS },
    input: { body: usersFilter },
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS, errors.EXPORT_IS_TOO_LARGE],
    ...file,
    audit: 'admin.export-users',
  }),
  exportAudit: post('/admin/export-audit', {
    summary: 'Returns the audit log of administrator actions as a CSV file, newest first',
    access: { admin: { audit: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG },
    input: { body: z.object(auditFilter) },
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG],
    ...file,
    budget: { d1: 8, r2: 4, read: 6000 },
    audit: 'admin.export-audit',
  }),
  exportSecurityEvents: post('/admin/export-security-events', {
    summary: 'Returns the security events of a user or of all users as a CSV file, newest first',
    access: { admin: { session: ['list'] } },
    input: {
      body: z.object({
        /** An id or an email address. */
        userId: z.string().min(1).max(320).optional(),
        type: z.enum(securityEventTypes).optional(),
        since: auditFilter.since,
        until: auditFilter.until,
      }),
    },
    errors: [core.UNAUTHORIZED, httpErrors.FORBIDDEN],
    ...file,
    audit: 'admin.export-security-events',
  }),
}
