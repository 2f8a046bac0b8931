import { type CsvColumns, csv } from '../../http/csv-response.ts'
import { type FileFormat, ndjson } from '../../http/file-response.ts'
import { toOcsf } from '../../identity/audit/ocsf.ts'
import type { OrganizationRecord } from './audit.ts'

const columns: CsvColumns<OrganizationRecord> = {
  time: ({ createdAt }) => createdAt,
  number: ({ organizationSeq }) => organizationSeq,
  action: ({ action }) => action,
  actor_type: ({ actorType }) => actorType,
  actor_id: ({ actorId }) => actorId,
  actor_name: ({ actorName }) => actorName,
  actor_via: ({ actorVia }) => actorVia,
  on_behalf_of: ({ onBehalfOf }) => onBehalfOf,
  subject_type: ({ subjectType }) => subjectType,
  subject_id: ({ subjectId }) => subjectId,
  subject_name: ({ subjectName }) => subjectName,
  before: ({ before }) => JSON.stringify(before),
  after: ({ after }) => JSON.stringify(after),
  ip_address: ({ ipAddress }) => ipAddress,
  user_agent: ({ userAgent }) => userAgent,
  request_id: ({ requestId }) => requestId,
  id: ({ id }) => id,
  hash: ({ hash }) => hash,
}

/** The file of an export by its format. */
export const fileFormatOf = (format: 'csv' | 'ndjson' | 'ocsf'): FileFormat<OrganizationRecord> => {
  if (format === 'csv') return csv('audit-log', columns)
  return ndjson('audit-log', format === 'ocsf' ? toOcsf : (record) => record)
}
