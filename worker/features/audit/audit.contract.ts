import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import {
  archivedPageBudget,
  auditEntry,
  auditFilter,
  auditPaging,
  searchedTo,
} from '../../identity/audit/audit-record.schema.ts'
import { checkpointList, checkpointPaging } from '../../identity/audit-chain/checkpoint.schema.ts'
import { optionalDevice } from '../../identity/sessions/sessions.contract.ts'
import { minutes, seconds } from '../../kit/time.ts'
import { recentMessages } from '../live/live.contract.ts'
import { liveErrors } from '../live/live.errors.ts'
import { optionalOrganization } from '../organization/model/membership.schemas.ts'
import { readingAudit as reading } from './audit.access.ts'

export const exportFormats = ['csv', 'ndjson', 'ocsf'] as const

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { audit: true }
}

export const auditLogContract = {
  listOrganizationAudit: get('/organization/audit', {
    summary: 'Lists the audit log of an organization, newest first',
    ...reading,
    input: { query: z.object({ organizationId: optionalOrganization, ...auditFilter, ...auditPaging }) },
    answer: z.object({
      entries: z
        .array(
          auditEntry
            // The link of the organization's chain; null until the record is sealed.
            .extend({ hash: z.string().nullable(), device: optionalDevice })
            .meta({ id: 'OrganizationAuditLine' }),
        )
        .max(200),
      nextCursor: z.string().nullable(),
      searchedTo,
    }),
    limits: { rate: { max: 60, window: seconds(60) } },
    budget: archivedPageBudget,
    changes: [],
  }),
  listOrganizationCheckpoints: get('/organization/audit-checkpoints', {
    summary: "Lists the signed checkpoints of an organization's audit log, newest first, and signs its present state",
    ...reading,
    input: { query: z.object({ organizationId: optionalOrganization, ...checkpointPaging }) },
    answer: checkpointList,
    limits: { rate: { max: 60, window: seconds(60) } },
    budget: { d1: 1 },
    changes: [],
  }),
  watchOrganizationAudit: get('/organization/audit-live', {
    summary: 'Opens a WebSocket that names each new record of an organization: messages are {"changed": ["records"]}',
    access: reading.access,
    input: { query: z.object({ organizationId: optionalOrganization, recent: recentMessages }) },
    answer: 'socket',
    errors: [
      ...reading.errors.slice(0, 4),
      httpErrors.NOT_FOUND,
      httpErrors.INVALID_ORIGIN,
      liveErrors.UPGRADE_REQUIRED,
    ],
    budget: { d1: 2, durable: 1 },
    changes: [],
  }),
  exportOrganizationAudit: post('/organization/export-audit', {
    summary: 'Returns the audit log of an organization as a file, newest first: CSV, NDJSON, or NDJSON in OCSF',
    ...reading,
    input: {
      body: z.object({
        organizationId: optionalOrganization,
        ...auditFilter,
        format: z.enum(exportFormats).default('csv'),
      }),
    },
    answer: 'csv-or-ndjson',
    limits: { rate: { max: 20, window: minutes(10) } },
    // The membership, the first page and the record. The other pages follow after the response has begun.
    budget: { d1: 8, r2: 4 },
    changes: ['audit'],
    audit: 'organization.export-audit',
  }),
}
