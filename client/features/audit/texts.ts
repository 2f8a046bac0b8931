import { defineTexts } from '../../lib/texts/texts.ts'

export const auditTexts = defineTexts('organizationAudit', {
  title: 'Audit log',
  intro: 'What has changed in the organization, and who did it, newest first.',
  records: 'Records',
  review: 'Access review',
  streams: 'Streams',
  none: 'No records yet.',
  caption: 'Records of the audit log',
  search: 'Search in all fields',
  what: 'Action',
  exportCsv: 'CSV',
  exportLines: 'NDJSON',
  exportOcsf: 'OCSF',
  format: 'Format',
  exportAs: 'Export',
  errors: {
    INVALID_CURSOR: 'This page is no longer available. Reload the page.',
    YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION:
      'Your role does not allow you to read the audit log of this organization.',
  } as Record<string, string>,
})
