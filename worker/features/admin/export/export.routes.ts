import { answerCsv } from '../../../http/csv-response.ts'
import type { Handlers } from '../../../http/routes.ts'
import { userPages } from '../list-users/list-users.ts'
import { auditColumns, eventColumns, userColumns } from './columns.ts'
import type { exportContract } from './export.contract.ts'
import { auditPages, eventPages, noteExport, rowsPerPage } from './export.ts'

export const exportHandlers: Handlers<typeof exportContract> = {
  exportUsers: ({ scope, caller, body }) =>
    answerCsv(scope, 'users', userColumns, userPages(scope, body, rowsPerPage), () =>
      noteExport(scope, caller, 'export-users', body),
    ),
  exportAudit: ({ scope, caller, body }) =>
    answerCsv(scope, 'audit-log', auditColumns, auditPages(scope, body), () =>
      noteExport(scope, caller, 'export-audit', body),
    ),
  exportSecurityEvents: ({ scope, caller, body }) =>
    answerCsv(scope, 'security-events', eventColumns, eventPages(scope, body), () =>
      noteExport(scope, caller, 'export-security-events', body),
    ),
}
