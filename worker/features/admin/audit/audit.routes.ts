import { type Handlers, reading } from '../../../http/routes.ts'
import { auditPage } from '../../../identity/audit/audit-log.store.ts'
import type { auditContract } from './audit.contract.ts'
import { pageOf, queryOf } from './audit.ts'

export const auditHandlers: Handlers<typeof auditContract> = {
  listAudit: reading(
    ({ scope, query }) => ({ rows: auditPage(scope.db, queryOf(query)) }),
    ({ query }, { rows }) => pageOf(rows, queryOf(query)),
  ),
}
