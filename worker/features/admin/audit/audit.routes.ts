import { type Handlers, reading } from '../../../http/routes.ts'
import { auditReads } from '../../../identity/audit-archive/archived-page.ts'
import { checkpointReads, presentCheckpoints } from '../../../identity/audit-chain/list-checkpoints.ts'
import { deploymentChain } from '../../../kit/audit-chain.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import type { auditContract } from './audit.contract.ts'
import { auditQueryOf, deploymentAuditPage } from './audit.ts'

export const auditHandlers: Handlers<typeof auditContract> = {
  listAudit: reading(
    ({ scope, query }) => auditReads(scope.db, auditQueryOf(query)),
    ({ scope, query }, rows) => deploymentAuditPage(scope, rows, auditQueryOf(query)),
  ),
  listAuditCheckpoints: reading(
    ({ scope, query }) =>
      checkpointReads(scope.db, query.organizationId ?? deploymentChain, query, errors.INVALID_CURSOR),
    ({ scope, query }, rows) => presentCheckpoints(scope, query, rows),
  ),
}
