import { type Handlers, reading } from '../../../http/routes.ts'
import { auditPage } from '../../../identity/audit/audit-log.store.ts'
import { checkpointReads, presentCheckpoints } from '../../../identity/audit-chain/list-checkpoints.ts'
import { deploymentChain } from '../../../kit/audit-chain.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import type { auditContract } from './audit.contract.ts'
import { auditQueryOf, deploymentAuditPage } from './audit.ts'

export const auditHandlers: Handlers<typeof auditContract> = {
  listAudit: reading(
    ({ scope, query }) => ({ rows: auditPage(scope.db, auditQueryOf(query)) }),
    ({ query }, { rows }) => deploymentAuditPage(rows, auditQueryOf(query)),
  ),
  listAuditCheckpoints: reading(
    ({ scope, query }) =>
      checkpointReads(scope.db, query.organizationId ?? deploymentChain, query, errors.INVALID_CURSOR),
    ({ scope, query }, rows) => presentCheckpoints(scope, query, rows),
  ),
}
