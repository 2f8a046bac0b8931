import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { adminErrors as errors } from '../admin.errors.ts'

const values = z.record(z.string(), z.unknown())

const auditLine = z
  .object({
    id: z.string(),
    createdAt: z.date(),
    action: z.string(),
    /** Null: the server, by RPC or by its configuration. */
    actorId: z.string().nullable(),
    actorName: z.string().nullable(),
    subjectId: z.string(),
    subjectName: z.string().nullable(),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    before: values,
    after: values,
  })
  .meta({ id: 'AuditLine' })

export const auditFilter = {
  /** The affected user: an id or an email address. */
  userId: z.string().max(320).optional(),
  /** The acting user: an id or an email address. */
  actorId: z.string().max(320).optional(),
  /** The last part of an endpoint, such as `ban-user`. */
  action: z.string().max(64).optional(),
  /** The beginning and the end (exclusive) of a period. */
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
}

export const auditContract = {
  listAudit: get('/admin/audit', {
    summary: 'Lists the audit log of administrator actions, newest first',
    access: { admin: { audit: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG },
    query: z.object({
      ...auditFilter,
      limit: z.coerce.number<number | string>().int().min(1).max(200).optional(),
      /** The `nextCursor` of the previous page. */
      cursor: z.string().max(512).optional(),
    }),
    answer: z.object({ entries: z.array(auditLine).max(200), nextCursor: z.string().nullable() }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG, errors.INVALID_CURSOR],
    budget: { d1: 1 },
    changes: [],
  }),
}
