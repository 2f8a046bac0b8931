import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import {
  archivedPageBudget,
  auditEntry,
  auditFilter,
  auditPaging,
  searchedTo,
} from '../../../identity/audit/audit-record.schema.ts'
import { checkpointList, checkpointPaging } from '../../../identity/audit-chain/checkpoint.schema.ts'
import { optionalDevice } from '../../../identity/sessions/sessions.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { adminErrors as errors } from '../admin.errors.ts'

export const auditContract = {
  listAudit: get('/admin/audit', {
    summary: 'Lists the audit log of the deployment, newest first',
    access: { admin: { audit: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG },
    input: { query: z.object({ ...auditFilter, ...auditPaging }) },
    answer: z.object({
      entries: z
        .array(auditEntry.extend({ seq: z.number(), device: optionalDevice }).meta({ id: 'AuditLine' }))
        .max(200),
      nextCursor: z.string().nullable(),
      searchedTo,
    }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG, errors.INVALID_CURSOR],
    budget: archivedPageBudget,
    changes: [],
  }),
  listAuditCheckpoints: get('/admin/audit-checkpoints', {
    summary: 'Lists the signed checkpoints of the audit log, newest first, and signs its present state',
    access: { admin: { audit: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG },
    input: {
      query: z.object({
        /** Those of the chain of an organization instead of the deployment's. */
        organizationId: z.string().min(1).max(128).optional(),
        ...checkpointPaging,
      }),
    },
    answer: checkpointList,
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG, errors.INVALID_CURSOR],
    budget: { d1: 1 },
    changes: [],
  }),
}
