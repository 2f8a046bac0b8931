import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { adminErrors as errors } from '../admin.errors.ts'

const values = z.record(z.string(), z.unknown())

const auditLine = z
  .object({
    id: z.string(),
    createdAt: z.date(),
    action: z.string(),
    /** Null: the server itself, by RPC or by its configuration. */
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

export const auditContract = {
  listAudit: endpoint({
    method: 'GET',
    path: '/admin/audit',
    summary: 'What administrators have done, newest first',
    access: { admin: { audit: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG },
    query: z.object({
      /** To whom it was done. */
      userId: z.string().max(64).optional(),
      /** Who did it. */
      actorId: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(200).optional(),
      /** `nextCursor` of the page before. */
      cursor: z.string().max(512).optional(),
    }),
    answer: z.object({ entries: z.array(auditLine), nextCursor: z.string().nullable() }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG, errors.INVALID_CURSOR],
    budget: { d1: 1 },
    changes: [],
  }),
}
