import { defineParts } from '../../http/feature.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { after, days } from '../../kit/time.ts'
import {
  approvalGrantType,
  clientCredentialsGrantType,
  exchangeGrantType,
  jwtBearerGrantType,
} from '../identity-provider/model/clients/client.ts'
import { deleteOldAgents } from './agents.store.ts'
import { exchangeApproval } from './approvals/approval-grant.ts'
import { approvalJobs } from './approvals/approval-jobs.ts'
import { deleteOldApprovalRequests } from './approvals/approvals.store.ts'
import { exchangeAssertion } from './assertions/assertion-grant.ts'
import { exchangeToken } from './exchange-grant.ts'
import { exchangeCredentials } from './services/service-grant.ts'

export const agentsParts = defineParts({
  oauth: {
    grants: {
      [clientCredentialsGrantType]: exchangeCredentials,
      [jwtBearerGrantType]: exchangeAssertion,
      [exchangeGrantType]: exchangeToken,
      [approvalGrantType]: exchangeApproval,
    },
  },
  jobs: approvalJobs,
  cron: {
    async scheduled(scope) {
      const work = unitOfWork(scope)
      work.run(deleteOldApprovalRequests(scope.db, after(scope.now(), -days(30))))
      work.run(deleteOldAgents(scope.db, after(scope.now(), -days(30))))
      await work.commit()
    },
  },
})
