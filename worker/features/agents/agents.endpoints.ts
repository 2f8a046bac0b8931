import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { agentsContract } from './agents.contract.ts'
import { agentsOperations } from './agents.operations.ts'
import { agentsHandlers } from './agents.routes.ts'
import { approvalsContract } from './approvals/approvals.contract.ts'
import { approvalsHandlers } from './approvals/approvals.routes.ts'
import { overviewContract } from './overview/overview.contract.ts'
import { overviewHandlers } from './overview/overview.routes.ts'
import { servicesContract } from './services/services.contract.ts'
import { servicesHandlers } from './services/services.routes.ts'
import { vaultContract } from './vault/vault.contract.ts'
import { vaultHandlers } from './vault/vault.routes.ts'

export const agentsEndpoints = defineEndpoints({
  routes: routes(
    { ...agentsContract, ...overviewContract, ...servicesContract, ...vaultContract, ...approvalsContract },
    { ...agentsHandlers, ...overviewHandlers, ...servicesHandlers, ...vaultHandlers, ...approvalsHandlers },
  ),
  operations: agentsOperations,
})
