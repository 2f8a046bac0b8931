import { type Handlers, reading } from '../../../http/routes.ts'
import type { auditContract } from './audit.contract.ts'
import { auditPage } from './audit.store.ts'
import { auditPageOf, defaultAuditLimit, readAuditQuery } from './audit.ts'

export const auditHandlers: Handlers<typeof auditContract> = {
  listAudit: reading(
    ({ scope, query }) => ({ lines: auditPage(scope.db, readAuditQuery(query)) }),
    ({ query }, { lines }) => auditPageOf(lines, query.limit ?? defaultAuditLimit),
  ),
}
